(jsx_self_closing_element name: (_) @call)
(jsx_opening_element name: (_) @call)
