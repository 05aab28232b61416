// The mock's terminals: an invented agent that works, with colours of all kinds.

const ESC = '\x1b[';
const SPINNER = ['✻', '✽', '✶', '✢'];

export function painted(agent, tick, at = new Date()) {
  const lines = [
    `${ESC}1m${ESC}38;2;217;119;87m✻ ${agent.runtime}${ESC}0m  ${ESC}2m${agent.dir}${ESC}0m`, '',
    `${ESC}34m●${ESC}0m I will look at the queue first, then write the tests.`, '',
    `  ${ESC}32m✓${ESC}0m Read ${ESC}1msrc/queue.cpp${ESC}0m ${ESC}2m(214 lines)${ESC}0m`,
    `  ${ESC}32m✓${ESC}0m Edit ${ESC}1mtest/queue_test.cpp${ESC}0m`,
    `      ${ESC}48;5;22m${ESC}38;5;157m+  EXPECT_EQ(queue.size(), 3u);                                   ${ESC}0m`,
    `      ${ESC}48;5;52m${ESC}38;5;217m-  EXPECT_TRUE(queue.empty());                                    ${ESC}0m`,
    `  ${ESC}33m▶${ESC}0m Bash ${ESC}36mmake test${ESC}0m`, `      ${ESC}2m[${String(tick % 97).padStart(2)}/97] building …${ESC}0m`, '',
    `${ESC}38;5;174m${SPINNER[tick % 4]} Working… ${ESC}2m(${tick % 600} s · ${(tick * 31) % 9000} tokens · esc to interrupt)${ESC}0m`, '',
    `╭${'─'.repeat(116)}╮`, `│ ${ESC}2m>${ESC}0m ${' '.repeat(113)}│`, `╰${'─'.repeat(116)}╯`,
    `  ${ESC}2m? for shortcuts        ${at.toISOString()}   state: ${agent.state}${ESC}0m`,
    `  ${ESC}31mred ${ESC}32mgreen ${ESC}33myellow ${ESC}34mblue ${ESC}35mmagenta ${ESC}36mcyan ${ESC}0m${ESC}7m inverse ${ESC}0m ${ESC}3mitalic${ESC}0m ${ESC}4munderline${ESC}0m ${ESC}9mstruck${ESC}0m 漢字 ▁▂▃▄▅▆▇█`,
  ];
  return lines.join('\n');
}

export function attach(client, agent, role) {
  let tick = Math.floor(Math.random() * 90), control = false, typed = '';
  const tell = (message) => client.send(JSON.stringify(message));
  const paint = () => client.send(Buffer.from(`${ESC}H${ESC}?25l${painted(agent, tick).split('\n').map((line) => line + ESC + 'K').join('\r\n')}${ESC}15;5H${typed}${ESC}?25h`));
  tell({ size: { cols: 120, rows: 40 } });
  tell({ state: { state: agent.state, kind: agent.kind } });
  client.send(Buffer.from(`${ESC}2J`));
  paint();
  if (agent.state === 'crashed' || agent.state === 'exited') return tell({ end: { state: agent.state, because: agent.because } });
  const timer = setInterval(() => { tick++; paint(); }, 500);
  client.on('message', (data, binary) => {
    if (!binary) {
      control = JSON.parse(data.toString()).control === true && role === 'operator';
      return tell({ control });
    }
    if (!control) return;
    const text = data.toString();
    typed = text === '\r' ? '' : text === '\x7f' ? typed.slice(0, -1) : typed + text.replace(/[^ -~]/g, '');
    paint();
  });
  client.on('close', () => clearInterval(timer));
}
