"""Texts without a declared encoding: what is honest in windows-1252 is complete, and what is probably another is told."""

import pytest

from tests.reading import read
from verified_gate.ingest.formats.encoding import GUESSED
from verified_gate.ingest.formats.guessing import is_doubtful

HONEST = (
    "Die Miete beträgt 900 Euro und ist bis zum dritten Werktag fällig; größere Schäden meldet der Mieter unverzüglich.",
    "Le loyer s’élève à 900 € par mois ; il est payé « d’avance », où que réside le bailleur, français ou étranger.",
    "El alquiler asciende a 900 euros. ¿Quién lo paga? El señor Ibáñez, según el párrafo décimo; ¡así está acordado!",
    "A renda é de 900 euros; as obrigações dos inquilinos não mudam, e as ações são julgadas em São João.",
    "Huslejen er 900 euro om måneden, og lejeren skal også betale for varme, når året er gået; ændringer træder så i kraft.",
    "Hyran är 900 euro i månaden, och hyresgästen får inte överlåta lägenheten utan värdens tillstånd på något sätt.",
    "Vuokra on 900 euroa kuukaudessa; vuokralainen jää vastuuseen työstä, jäähdytyksestä ja hääyöaieöljystä.",
    "Leigan er 900 evrur á mánuði og skal greiðast fyrsta dag hvers mánaðar; þó má þetta breytast með nýjum samningi.",
    "Name;City\nMüller;Köln\nGarçon;Orléans\nPeña;Málaga\nSørensen;Århus\nJoão;São Paulo\nBjörk;Malmö\nTomáš Novák;Plzen",
    "Area: 10 m² ± 2, at 20 °C; ½ of it – “the garden” – isn’t let… © 2024 Smith® & Café Ltd.",
)
OTHERS = (
    ("cp1251", "Арендная плата составляет 900 рублей в месяц."), ("koi8-r", "Плата 900"),
    ("cp1253", "Το μίσθωμα είναι 900 ευρώ τον μήνα."), ("cp1255", "דמי השכירות הם 900"), ("cp1256", "الإيجار 900 يورو"),
    ("gb18030", "租金为每月九百元,应按时支付给房东。"), ("cp932", "家賃は毎月九百円とする。"), ("cp949", "임대료는 매월 구백 유로이다."),
    ("big5", "租金為每月九百元。"), ("cp1250", "Czynsz wynosi 900 złotych i jest płatny do piątego dnia miesiąca."),
    ("iso8859-2", "Czynsz wynosi 900 złotych i jest płatny do piątego dnia miesiąca."),
    ("cp1250", "Nájem činí 900 korun měsíčně a je splatný předem; nájemce může přenechat byt, jestliže souhlasí věřitel, "
               "do příštího dne."),
    ("cp1250", "A bérlő a bérleti díjat előre fizeti; a lakás költségét a bérbeadó viseli, a különböző díjak felelőse ő."),
    ("cp1254", "Kira bedeli aylık 900 liradır ve peşin ödenir; kiracı değişiklik yapamaz, ücreti düşürülmüş sayılmaz."),
    ("cp1257", "Nuoma mokama iš anksto; nuomininkas už žalą atsako visą mėnesį, o šį terminą gali pratęsti šalių sutarimas."),
    ("mac-roman", "Die Miete beträgt 900 Euro und ist bis zum dritten Werktag fällig."),
    ("cp850", "Die Miete beträgt 900 Euro; größere Schäden meldet der Mieter unverzüglich."),
)  # fmt: skip


@pytest.mark.parametrize("text", HONEST)
def test_pages_and_tables_that_are_in_windows_1252_are_complete(text):
    page = read("html", f"<p>{text}</p>".encode("cp1252"))
    assert (page.coverage, page.text) == ("complete", " ".join(text.replace("\xa0", " ").split()))
    assert read("csv", text.encode("cp1252")).coverage == "complete"


@pytest.mark.parametrize(("encoding", "text"), OTHERS)
def test_pages_and_tables_that_are_probably_in_another_encoding_are_told(encoding, text):
    data = text.encode(encoding)
    assert read("html", b"<p>" + data + b"</p>").lost[-1] == GUESSED
    assert read("csv", b"1;2\n" + data + b";3\n").lost[-1] == GUESSED


@pytest.mark.parametrize("label", ["windows-1252", "iso-8859-1", "windows-1251"])
def test_an_encoding_that_is_declared_is_not_doubted(label):
    page = f"<meta charset={label}><p>".encode() + OTHERS[0][1].encode("cp1251")
    assert read("html", page).coverage == "complete"


def test_utf_8_is_not_doubted():
    assert read("csv", OTHERS[0][1]).coverage == "complete"


@pytest.mark.parametrize("piece", ["é ", "Àðåí", "z³oty ", "é", "\u2026", "a³b"])
def test_work_grows_with_the_text(piece):
    assert is_doubtful(piece * 100_000) is (piece in ("Àðåí", "z³oty ", "a³b"))
