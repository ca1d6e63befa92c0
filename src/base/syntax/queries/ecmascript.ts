/** Shared by JavaScript, TypeScript and TSX. */
const shared = `
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
`;

const plainClasses = `
(class_declaration name: (identifier) @name) @class
(class name: (identifier) @name) @class
(class_heritage (_) @extends)
(field_definition property: (_) @name value: (_)? @value) @field
`;

const markup = `
(jsx_self_closing_element name: (_) @call)
(jsx_opening_element name: (_) @call)
`;

const typed = `
(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(class name: (type_identifier) @name) @class
(interface_declaration name: (type_identifier) @name) @interface
(type_alias_declaration name: (type_identifier) @name value: (_) @type) @type_alias
(enum_declaration name: (identifier) @name) @enum
(enum_body (property_identifier) @name @member)
(enum_assignment name: (_) @name) @member
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(function_signature name: (identifier) @name) @function
(method_signature name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(public_field_definition name: (_) @name type: (type_annotation (_) @type)? value: (_)? @value) @field
(property_signature name: (_) @name type: (type_annotation (_) @type)?) @field
(extends_clause value: (_) @extends)
(implements_clause (_) @implements)
(extends_type_clause type: (_) @extends)
(variable_declarator name: (identifier) @bind type: (type_annotation (_) @type))
(required_parameter (accessibility_modifier) pattern: (identifier) @name type: (type_annotation (_) @type)?) @field
(decorator (_) @decorator)
`;

export const javascript = shared + plainClasses + markup;
export const typescript = shared + typed;
export const tsx = shared + typed + markup;
