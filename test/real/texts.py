"""Texts that are hard to type, from a seed: what the torture of delivery sends. `text(number)` of a Torture is the same whenever it is asked."""
import random
import unicodedata

SKIN = [chr(c) for c in range(0x1F3FB, 0x1F400)]
PEOPLE = [chr(c) for c in (*range(0x1F466, 0x1F46A), 0x1F474, 0x1F475, 0x1F9D1, *range(0x1F9D2, 0x1F9D6))]
HANDS = [chr(c) for c in (0x261D, *range(0x270A, 0x270E), *range(0x1F442, 0x1F444), *range(0x1F446, 0x1F451), 0x1F4AA, *range(0x1F918, 0x1F920),
                          *range(0x1FAF1, 0x1FAF9))]
JOBS = ["\u2695\ufe0f", "\u2696\ufe0f", "\u2708\ufe0f", *(chr(c) for c in (0x1F33E, 0x1F373, 0x1F393, 0x1F3A4, 0x1F3EB, 0x1F4BB, 0x1F527, 0x1F680, 0x1F692))]
REGIONS = "AC AD AE AF BR CH DE EG FR GB IN JP KE NP TH UA US ZA ZW".split()
TEXT_STYLE = "\u2600\u2601\u260e\u2611\u2620\u2639\u263a\u2660\u2665\u2668\u267b\u2694\u2699\u26a0\u2702\u2708\u2709\u270f\u2764\u27a1\u2b05\u3030\u00a9\u00ae\u203c\u2049\u2122\u2139"
PLAIN = [chr(c) for start, end in ((0x1F300, 0x1F320), (0x1F32D, 0x1F336), (0x1F337, 0x1F37D), (0x1F3A0, 0x1F3CB), (0x1F400, 0x1F43F), (0x1F600, 0x1F650),
                                   (0x1F680, 0x1F6C6), (0x1F90C, 0x1F93B), (0x1F947, 0x1FA00), (0x1FA70, 0x1FA7D), (0x1FA80, 0x1FA88), (0x1F7E0, 0x1F7EC))
         for c in range(start, end)]


def sequences():
    """Every kind of emoji there is: plain, styled, toned, joined, flags, keycaps, tags."""
    yield from PLAIN
    for sign in TEXT_STYLE:
        yield from (sign, sign + "\ufe0e", sign + "\ufe0f")
    for one in HANDS + PEOPLE:
        yield from (one + tone for tone in SKIN)
    for one in PEOPLE[1:3] + ["\U0001F9D1"]:
        for job in JOBS:
            yield one + "\u200d" + job
            yield one + SKIN[2] + "\u200d" + job
    for family in ("\U0001F468 \U0001F469 \U0001F467 \U0001F466", "\U0001F469 \u2764\ufe0f \U0001F468", "\U0001F9D1 \U0001F91D \U0001F9D1",
                   "\U0001F3F3\ufe0f \U0001F308", "\U0001F3F4 \u2620\ufe0f", "\U0001F415 \U0001F9BA", "\u2764\ufe0f \U0001F525", "\U0001F636 \U0001F32B\ufe0f"):
        yield "\u200d".join(family.split())
    yield from ("".join(chr(0x1F1E6 + ord(letter) - 65) for letter in region) for region in REGIONS)
    yield from (digit + "\ufe0f\u20e3" for digit in "#*0123456789")
    for region in ("gbeng", "gbsct", "gbwls"):
        yield "\U0001F3F4" + "".join(chr(0xE0000 + ord(c)) for c in region) + "\U000E007F"


EMOJI = list(sequences())
SCRIPTS = ["café déjà naïve Ünïcödé Ångström", "ế ộ ữ ằng tiếng Việt", "ά έ ή ί ό ύ ώ ϋ ΐ ελληνικά", "й ё ї ў русский українська", "한국어 각 값 닭 읽기", "が ぎ ぐ ば ぱ ガ ヅ ポ",
           "हिन्दी क़ानून कर्म श्री", "বাংলা কো কৌ শ্রী", "தமிழ் கொ கோ கௌ", "తెలుగు ై క్ష", "ಕನ್ನಡ ಕೊ ಕೋ", "മലയാളം കൊ കോ", "ไทย น้ำ ที่ กำลัง", "ລາວ ນ້ຳ", "မြန်မာ ဦး", "ខ្មែរ ស្រី",
           "עברית בְּרֵאשִׁית", "العربية آ أ إ ؤ مُحَمَّد", "བོད་ཡིག རྒྱུ", "አማርኛ ሰላም", "ქართული", "Հայերեն", "ᜊᜌ᜔ᜊᜌᜒᜈ᜔", "සිංහල ශ්‍රී"]
RTL = ["שלום עולם", "مرحبا بالعالم 123 abc", "a \u202eturned round\u202c b", "\u2067right\u2069 left", "שלום abc مرحبا 42%", "\u200f\u200e marks"]
FRAMES = ["above\n────────────\nbelow", "╭──────╮\n│ a box │\n╰──────╯", "│ one bar", "> a quote\n❯ a sign\n› another", "▌ block ▐ █ ▀", "1. Yes\n2. No\n❯ 3. Other",
          "═══════", "[Pasted text #1 +39 lines]", "Press Enter to continue", "esc to interrupt"]
LEADS = ["!touch executed", "! touch executed", "#remember this", "# a heading", "@nobody look", "@main.py look", "/nosuchcommand of it", "/tmp/nowhere is a path", "?", "??? what",
         "!", "#", "$nosuchskill do", "%", "&", "~", "-", "--help", ":q", "* a star", "\\", "`touch executed`", "$(touch executed)"]
ENDS = ["ends in a backslash\\", "two of them\\\\", "look at @main.py", "look at @nosuchfile", "a skill $nosuch", "a blank ", "blanks and a tab \t", "an end\n", "ends\n\n\n",
        "a colon:", "a slash /", "an issue #12", "a mention @", "a quote \"", "a tilde ~"]
WORDS = "the build is red please look at it again and say what you see in the second part of that file".split()


def sized(dice, size):
    out = []
    length = 0
    while length < size:
        word = dice.choice(WORDS)
        out.append(word + ("\n" if dice.random() < 0.08 else " "))
        length += len(out[-1])
    return "".join(out)[:size].strip() or "x"


class Torture:
    def __init__(self, seed):
        self.seed = seed

    def text(self, number):
        """Its family and itself."""
        dice = random.Random(f"{self.seed} {number}")
        family = ("emoji", "scripts", "leads", "size", "emoji", "ends", "frames", "rtl", "lines", "marks")[number % 10]
        return family, getattr(self, family)(dice, number)

    @staticmethod
    def emoji(dice, number):
        at = number * 7 % len(EMOJI)
        some = (EMOJI + EMOJI)[at:at + 14]
        return f"emoji {number}: " + dice.choice(["", " ", "x"]).join(some) + dice.choice(["", " end"])

    @staticmethod
    def scripts(dice, number):
        form = dice.choice(["NFD", "NFD", "NFC", "NFKD"])
        return f"script {number}: " + unicodedata.normalize(form, SCRIPTS[number // 10 % len(SCRIPTS)]) + dice.choice(["", " end"])

    @staticmethod
    def leads(dice, number):
        return LEADS[number // 10 % len(LEADS)] + dice.choice(["", f" {number}", f"\nand {number} more"])

    @staticmethod
    def ends(dice, number):
        return dice.choice([f"{number} ", f"of {number}\n"]) + ENDS[number // 10 % len(ENDS)]

    @staticmethod
    def size(dice, number):
        most = 250_000 if number % 100 == 93 else 60_000 if number % 50 == 23 else 3_000
        return sized(dice, max(1, int(most ** dice.uniform(0.9 if most > 3_000 else 0, 1))))

    @staticmethod
    def frames(dice, number):
        return dice.choice(["", f"{number} "]) + FRAMES[number // 10 % len(FRAMES)] + dice.choice(["", f"\n{number}"])

    @staticmethod
    def rtl(dice, number):
        return f"{number} " + RTL[number // 10 % len(RTL)] + dice.choice(["", " end"])

    @staticmethod
    def lines(dice, number):
        some = [dice.choice(["", "  indented", "\ttabbed", "- [ ] item", "```", "word", "a longer line of words and more of them"]) for _ in range(dice.randint(2, 30))]
        return f"lines {number}\n" + "\n".join(some) + "\nlast"

    @staticmethod
    def marks(dice, number):
        return f"marks {number} " + dice.choice(["soft\u00adhyphen", "zero\u200bwidth", "no\u00a0break", "word\u2060joiner", "a\u0301\u0302\u0303 stacked", "x\u20dd ringed", "\ufeffbom",
                                                 "line\u2028sep", "combining\u034fjoiner", "\u0915\u094d\u200d\u0937 half", "fullwidth ＡＢＣ１２３", "half ｶﾞ"]) + " end"
