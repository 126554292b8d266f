"""Builds share/passwords/common.txt from the frequency list in the PyPI package zxcvbn (MIT).

    pip install zxcvbn==4.5.0
    python3 build_passwords.py

The 1,000 commonest passwords of any length and the 1,000 commonest of at least ten characters, in the list's order
(commonest first), then a few long ones that the package files under names and words instead, in alphabetical order.
"""

import pathlib

from zxcvbn.frequency_lists import FREQUENCY_LISTS

SHARE = pathlib.Path(__file__).resolve().parent.parent
HOW_MANY = 1_000
LONG = 10
# zxcvbn keeps a word only in the list where it ranks highest, so common names and words are missing from its passwords.
# Compiled by hand.
FILED_ELSEWHERE = """
0000000000 0123456789 0987654321 1111111111 9876543210 administrator aaaaaaaaaa basketball bestfriends butterfly1
california charlotte1 changeme123 cheerleader chocolate1 christopher cinderella elizabeth1 football12 friendship
iloveyou12 iloveyou123 jacqueline letmein123 massachusetts password12 password1234 password12345 passwordpassword
qwertyuiop1 qwerty1234567 strawberry superman123 sunshine123 sweetheart volleyball washington welcome123 whatever123
""".split()


def main():
    ranked = list(dict.fromkeys(word.lower() for word in FREQUENCY_LISTS["passwords"]))
    chosen = {*ranked[:HOW_MANY], *[word for word in ranked if len(word) >= LONG][:HOW_MANY]}
    words = [word for word in ranked if word in chosen]
    words += sorted(set(FILED_ELSEWHERE) - chosen)
    with open(SHARE / "passwords" / "common.txt", "w", encoding="utf-8", newline="\n") as file:
        file.write("\n".join(words) + "\n")
    print(f"{len(words)} passwords, {sum(len(word) >= LONG for word in words)} of {LONG} or more characters")


if __name__ == "__main__":
    main()
