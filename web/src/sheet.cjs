// A stand-in for the <style> elements of xterm.js: our content policy (style-src 'self') refuses those, and allows style sheets
// made by scripts. build.mjs puts it into xterm.js in place of createElement("style"). It has what xterm.js uses: textContent, remove.
module.exports = function (document) {
  const sheet = new CSSStyleSheet();
  const element = document.createElement('span');
  const remove = element.remove.bind(element);
  element.hidden = true;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(element, 'textContent', { set: (css) => sheet.replaceSync(css), get: () => '' });
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    remove();
  };
  return element;
};
