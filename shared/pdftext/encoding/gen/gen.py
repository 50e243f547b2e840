#!/usr/bin/env python3
"""Writes ../names.txt, the tables of glyph names that package encoding embeds.

    pip install fonttools==4.60.1 reportlab==4.4.4
    python3 gen.py

Only needed to change the tables; building and testing Seam needs no Python.
The facts come from fontTools (Adobe Glyph List, StandardEncoding, the standard
strings and charsets of CFF, the standard glyph order of TrueType) and from
reportlab (MacExpertEncoding, the built-in encodings of Symbol and ZapfDingbats).
See ../NOTICE.

Format: sections, each headed by "[name]".
  agl, zapf         one line per glyph: NAME HEX[ HEX...], sorted by name
  cff, mac          one name per line, by number
  expert, subset    one name per line, by glyph: the predefined charsets of CFF
  standard, symbol, dingbats, macexpert   CODE NAME, code in decimal
"""
import os

from fontTools import agl
from fontTools.cffLib import cffExpertSubsetStrings, cffIExpertStrings, cffStandardStrings
from fontTools.encodings.StandardEncoding import StandardEncoding
from fontTools.ttLib.standardGlyphOrder import standardGlyphOrder
from reportlab.pdfbase import _fontdata


def names(out, title, table):
    out.append("[%s]" % title)
    for name in sorted(table):
        v = table[name]
        v = [v] if isinstance(v, int) else v
        out.append("%s %s" % (name, " ".join("%X" % x for x in v)))


def vector(out, title, codes):
    out.append("[%s]" % title)
    for code, name in enumerate(codes):
        if name and name != ".notdef":
            out.append("%d %s" % (code, name))


def main():
    out = []
    zapf = {"a%d" % i: ord(agl.toUnicode("a%d" % i, isZapfDingbats=True))
            for i in range(1, 207) if agl.toUnicode("a%d" % i, isZapfDingbats=True)}
    names(out, "agl", agl.LEGACY_AGL2UV)
    names(out, "zapf", zapf)
    out.append("[cff]")
    out.extend(cffStandardStrings)
    out.append("[mac]")
    out.extend(standardGlyphOrder)
    out.append("[expert]")
    out.extend(cffIExpertStrings)
    out.append("[subset]")
    out.extend(cffExpertSubsetStrings)
    vector(out, "standard", StandardEncoding)
    vector(out, "symbol", _fontdata.encodings["SymbolEncoding"])
    vector(out, "dingbats", _fontdata.encodings["ZapfDingbatsEncoding"])
    vector(out, "macexpert", _fontdata.encodings["MacExpertEncoding"])
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, os.pardir, "names.txt"), "w", encoding="ascii", newline="\n") as f:
        f.write("\n".join(out) + "\n")


if __name__ == "__main__":
    main()
