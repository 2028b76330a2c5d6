"""Formulas of Word on one line: no part runs together with a number that it is no part of."""

import pytest

from tests.containers import docx
from tests.reading import read


def run(words):
    return f"<m:r><m:t>{words}</m:t></m:r>"


def part(name, properties="", **parts):
    inner = "".join(
        f"<m:{key.rstrip('0123456789')}>{held}</m:{key.rstrip('0123456789')}>" for key, held in parts.items()
    )
    return f"<m:{name}>{f'<m:{name}Pr>{properties}</m:{name}Pr>' if properties else ''}{inner}</m:{name}>"


def formula(inner, before="", after=""):
    before, after = (f"<w:r><w:t>{words}</w:t></w:r>" if words else "" for words in (before, after))
    found = read("docx", docx(f"<w:p>{before}<m:oMath>{inner}</m:oMath>{after}</w:p>"))
    assert found.lost == ()
    return found.text


HALF = part("f", num=run("1"), den=run("2"))
SQUARE = part("sSup", e=run("10"), sup=run("2"))


@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        (run("3") + HALF, "3 1/2"), (HALF + run("3"), "1/2 3"), (run("x") + HALF, "x 1/2"), (run("+") + HALF, "+1/2"),
        (run("3") + part("box", e=HALF), "3 1/2"), (part("box", e=run("3")) + run("4"), "34"),
        (run("1") + run("2"), "12"), (run("2") + SQUARE, "210²"), (SQUARE + run("5"), "10² 5"), (SQUARE + run(" m"), "10² m"),
        (part("eqArr", e1=run("x=1"), e2=run("2y=4")), "x=1; 2y=4"),
        (part("limLow", e=run("max"), lim=run("5")) + run("00"), "max₅ 00"),
        (part("limUpp", e=run("max"), lim=run("x")), "max^x"), (part("limLow", e=run("lim"), lim=run("x→0")), "lim_(x→0)"),
        (run("2") + part("rad", deg=run("3"), e=run("8")), "2 ³√8"),
        (part("rad", '<m:degHide m:val="1"/>', deg=run("3"), e=run("8")), "√8"),
        (part("rad", '<m:degHide m:val="0"/>', deg=run("3"), e=run("8")), "³√8"),
        (part("f", '<m:type m:val="noBar"/>', num=run("5"), den=run("2")), "5¦2"),
        (part("f", '<m:type m:val="lin"/>', num=run("5"), den=run("2")), "5/2"),
        (part("borderBox", e=run("900")) + run("100"), "900 100"), (run("5") + part("bar", e=run("6")), "5 6"),
        (part("sSup", e=HALF, sup=run("2")), "(1/2)²"), (part("sSup", e=run("x"), sup=run("2")), "x²"),
        (part("d", '<m:begChr m:val="{"/><m:endChr m:val=""/>', e=part("eqArr", e1=run("a=1"), e2=run("b=2"))) + run("3"), "{a=1; b=2 3"),
        (part("sPre", sub=run("6"), sup=run("14"), e=run("5")), "5₆¹⁴"), (run("2") + part("func", fName=run("log"), e=run("10")), "2 log 10"),
        (run("4") + "<x:r><x:t>7</x:t></x:r><x:f>7</x:f>", "4"),
    ],
)  # fmt: skip
def test_a_part_that_stands_apart_is_set_apart_from_the_digits_beside_it(inner, expected):
    assert formula(inner) == expected


def test_what_is_deleted_of_a_formula_is_left_out_and_told():
    changed = f"<w:p><m:oMath>{run('4')}<w:del>{run('7')}</w:del><w:ins>{run('8')}</w:ins></m:oMath></w:p>"
    found = read("docx", docx(changed))
    assert (found.text, found.lost) == ("48", ("1 tracked deletion, left out", "1 tracked insertion, kept"))


def test_a_formula_is_set_apart_from_the_digits_of_the_text_beside_it():
    assert formula(HALF, "3", "5") == "3 1/2 5"
    assert formula(HALF, "(", ")") == "(1/2)"
    assert formula(run("5"), "2", "7") == "257"
    assert formula(SQUARE, "2", "5 m") == "210² 5 m"
