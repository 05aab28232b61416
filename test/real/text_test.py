#!/usr/bin/env python3
"""pawl send with real agents (make test-real): texts of many scripts, spelt apart as macOS spells them, and every kind of emoji
sequence. What is confirmed arrived once and whole, in order; what is not leaves nothing behind. The model's log is the judge.
PAWL_DELIVER names the agents."""
import os
import re
import unicodedata

from agents import START_S, find, main, of_each
from fleet import until
from watched import Watched

NAMES = [name for name in os.environ.get("PAWL_DELIVER", "claude codex gemini pi").split() if find(name)]
SPELT_APART = {
    "latin": "café Ärger naïve", "vietnamese": "Nguyễn Đặng ở Huế", "greek": "ά ΐ ὕστερον", "cyrillic": "й ё ї ў Йод",
    "hebrew": "שִׁלּוֹם עִבְרִית", "arabic": "أَحْمَدُ آ ؤ إِلَى", "devanagari": "क़िताब क्षत्रिय नमस्ते ढ़", "bengali": "কোন বাংলা ড়য়",
    "gurmukhi": "ਸ਼ੇਰ ਪੰਜਾਬੀ ਖ਼", "gujarati": "ગુજરાતી કોણ", "oriya": "କୋଣ ଓଡ଼ିଆ", "tamil": "கொடி தமிழ் ஸௌ", "telugu": "తెలుగు కై",
    "kannada": "ಕೊನೆ ಕನ್ನಡ ಕೋ", "malayalam": "കൊല്ലം മലയാളം കോ", "sinhala": "කොළඹ සිංහල කෝ", "thai": "ที่นี่ น้ำ ภาษาไทย", "lao": "ພາສາລາວ ນ້ຳ",
    "tibetan": "བོད་ཡིག གྷ ཱི", "myanmar": "ဦး မြန်မာ ကို", "khmer": "ភាសាខ្មែរ", "hangul": "한국어 각 힣", "kana": "がぎぐ ぱぴぷ ヴ",
    "ethiopic": "አማርኛ ለ፟", "balinese": "ᬆ ᬇ ᬪᬵᬱ"}
SEQUENCES = {
    "tone": "👍🏽 up", "tones": "✋🏿 👋🏻 🤘🏾", "family": "👨‍👩‍👧‍👦 home", "astronaut": "👩🏽‍🚀 flies", "rainbow": "🏳️‍🌈 hangs",
    "flag": "🇩🇪 and 🇯🇵🇫🇷", "half a flag": "🇩 alone", "keycaps": "1️⃣ 2️⃣ #️⃣", "heart": "❤️ and ❤", "signs": "⚠️ ✔️ ☎️ ©️", "as text": "☎︎ ⌚︎ 😀︎",
    "england": "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f plays", "couple": "👩🏻‍❤️‍💋‍👨🏿 meet", "plain": "🦀🎉🫠 new 🫩", "turned": "\u202eturned round",
    "isolate": "\u2067turned\u2069 round", "soft hyphen": "soft\u00adhyphen here", "zero width": "zero\u200bwidth \u200djoin", "persian": "می\u200cخواهم",
    "marks": "a\u0301\u0302\u0303\u0304\u0323 b\u0308", "order": "mess q\u0307\u0323 and q\u0323\u0307", "ideographs": "端末 \U00020000 葛\U000e0100", "wide forms": "ＡＢＣ ｶﾞ 가",
    "only": "👍🏽", "only two": "🇩🇪", "lines": "👨‍👩‍👧‍👦\nक्षि\n1️⃣ ok", "mixed": "🧑🏽‍💻 fixes café — नमस्ते ที่นี่ 한국 ❤️ שָׁלוֹם 🇺🇳"}
UNSHOWN = {("gemini", "a row of hearts")}  # it paints them over its own footer: nobody can see whether they are there
DROPPED = dict.fromkeys([0xad, 0x61c, 0x34f, 0xfeff, *range(0xe0100, 0xe01f0), *range(0x200b, 0x2010), *range(0x202a, 0x202f), *range(0x2060, 0x2070)])


def texts():
    for name, text in SPELT_APART.items():
        yield name, unicodedata.normalize("NFD", text)
    yield from SEQUENCES.items()
    # Over several rows of the box: where it breaks them is the program's affair.
    yield "every script", unicodedata.normalize("NFD", " — ".join(SPELT_APART.values()))
    yield "every sequence", " — ".join(one for name, one in SEQUENCES.items() if name not in ("turned", "isolate", "lines"))
    yield "a row of hands", "hands " + "👍🏽" * 90 + " end"
    yield "a row of hearts", "hearts " + "❤️ " * 70 + "end"
    yield "a row of conjuncts", "kshi " + "क्षि" * 60 + " end"


def shape(text):
    """As agents leave it: one of several spellings, without characters that show nothing; ends of lines and blanks are theirs."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", text).translate(DROPPED)).strip()


class TextTest(Watched):
    def emptied(self):
        """For the next one, whatever was left in it: that is a failure already."""
        for _ in range(5):
            if self.pawl("wait", "one", "--until", "ready", "--timeout", "3", code=None).returncode == 0:
                return
            self.pawl("keys", "one", "C-u")

    def test_every_script_and_every_sequence(self):
        self.up()
        confirmed, failed = [], []
        for name, text in texts():
            said = self.pawl("send", "one", "-", "--wait", "done", input=text, code=None).stdout.strip()
            if said.startswith("confirmed"):
                confirmed.append(text)
            else:
                honest = (self.agent, name) in UNSHOWN and "taken out of the box again" in said
                failed += [] if honest else [f"{name}: {said}"]
                print(f"\n{self.agent}: {name}: {text!r}: {said}\n{self.screen('one')}", flush=True)
                self.emptied()
        got = lambda: [shape(prompt) for prompt in self.model.prompts()]
        until(lambda: f"{len(confirmed)} arrived, not {len(got())}", lambda: len(got()) >= len(confirmed), 10)
        print(f"\n{self.agent}: {len(confirmed)} of {len(list(texts()))} confirmed, {len(got())} arrived")
        self.assertEqual(got(), [shape(text) for text in confirmed])
        self.assertEqual(failed, [])


def load_tests(loader, _tests, _pattern):
    return of_each(loader, TextTest, NAMES)


if __name__ == "__main__":
    main(*NAMES)
