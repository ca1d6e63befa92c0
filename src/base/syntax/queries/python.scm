(function_definition name: (identifier) @name) @function
(class_definition name: (identifier) @name) @class
(class_definition superclasses: (argument_list [(identifier) (attribute) (subscript)] @extends))
(assignment left: (identifier) @name type: (type)? @type right: (_)? @value) @variable
(assignment left: (attribute) @target right: (_) @value)
(assignment left: [(pattern_list) (tuple_pattern)] @pattern right: (_) @value)
(named_expression name: (identifier) @bind value: (_) @value)
(type_alias_statement left: (type) @name) @type_alias
(for_statement left: (identifier) @bind)
(with_item value: (as_pattern (_) @value alias: (as_pattern_target (identifier) @bind)))
(call function: (_) @call)
(decorator (_) @decorator)
(return_statement (_) @result)
(lambda body: (_) @result)
(import_statement) @import
(import_from_statement) @import
