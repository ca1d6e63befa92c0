(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: (_) @name) @method
(variable_declarator name: (identifier) @name value: (_)? @value) @variable
(variable_declarator name: [(object_pattern) (array_pattern)] @pattern value: (_) @value)
(pair key: [(property_identifier) (string)] @name value: [(arrow_function) (function_expression)]) @method
(assignment_expression left: [(identifier) (member_expression)] @target right: (_) @value)
(call_expression function: (_) @call)
(new_expression constructor: (_) @new)
(return_statement (_) @result)
(arrow_function body: (identifier) @result)
(arrow_function body: (call_expression) @result)
(import_statement) @import
(export_statement) @export
