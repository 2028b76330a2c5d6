"""What is known about text, in Unicode's terms: characters, grapheme clusters, sentences, tokens, marks of layout.

Comes in: any string. Goes out: offsets in code points, and facts about characters. May fail: never for a string.
It decides nothing: the rules that refuse stand in `gate/`, which trusts this folder. Imports the standard library only.
"""
