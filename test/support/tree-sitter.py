"""
Parses with a compiled Tree-sitter grammar. Arguments: its library, or the name of a Python package that contains it; the name of the language;
and a file with a query, if any. Each line of input is a JSON string; each line of output is its tree, or what the query captures.
"""

import ctypes
import importlib
import json
import sys
import warnings

import tree_sitter

warnings.simplefilter("ignore")
sys.setrecursionlimit(100_000)
library, name, *query_file = sys.argv[1:]
if "/" in library:
    function = getattr(ctypes.cdll.LoadLibrary(library), f"tree_sitter_{name}")
    function.restype = ctypes.c_void_p
    language = tree_sitter.Language(function())
else:
    language = tree_sitter.Language(importlib.import_module(library).language())
parser = tree_sitter.Parser(language)
query = None
if query_file:
    with open(query_file[0]) as file:
        query = tree_sitter.Query(language, file.read())


def text(node, source):
    return source[node.start_byte : node.end_byte].decode()


def tree(node, field, source):
    children = [
        tree(child, node.field_name_for_child(index), source)
        for index, child in enumerate(node.children)
        if not child.is_extra
    ]
    return [field, node.type, children or text(node, source)]


def captures(root, source):
    """By position; of several for one node, those of later patterns are later, as editors apply them."""
    found = [
        (node.start_byte, pattern, capture, text(node, source))
        for pattern, captured in tree_sitter.QueryCursor(query).matches(root)
        for capture, nodes in captured.items()
        for node in nodes
    ]
    return [[capture, part] for _, _, capture, part in sorted(found, key=lambda one: one[:2])]


for line in sys.stdin:
    source = json.loads(line).encode("utf-8", "replace")
    root = parser.parse(source).root_node
    if query:
        print(json.dumps(captures(root, source)))
    else:
        print(json.dumps(None if root.has_error else tree(root, None, source)))
