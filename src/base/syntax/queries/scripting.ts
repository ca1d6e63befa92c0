export const ruby = `
(method name: (_) @name) @method
(singleton_method name: (_) @name) @method
(class name: (_) @name) @class
(module name: (_) @name) @module
(class superclass: (superclass (_) @extends))
(assignment left: (constant) @name right: (_)? @value) @constant
(assignment left: (identifier) @bind right: (_) @value)
(alias name: (_) @name) @method
(call method: (_) @last) @invocation
(body_statement (identifier) @call)
(call method: (identifier) @word (#any-of? @word "require" "require_relative" "autoload" "load")) @import
(call method: (identifier) @word arguments: (argument_list (_) @implements) (#any-of? @word "include" "extend" "prepend"))
(call method: (identifier) @word arguments: (argument_list (simple_symbol) @name @accessor) (#any-of? @word "attr_accessor" "attr_reader" "attr_writer"))
`;

export const php = `
(function_definition name: (name) @name) @function
(method_declaration name: (name) @name) @method
(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @member
(property_declaration (property_element name: (variable_name (name) @name))) @field
(property_promotion_parameter name: (variable_name (name) @name)) @field
(const_declaration (const_element (name) @name)) @constant
(assignment_expression left: (variable_name) @bind right: (_) @value)
(base_clause (_) @extends)
(class_interface_clause (_) @implements)
(use_declaration (_) @implements)
(function_call_expression function: (_) @call)
(member_call_expression name: (_) @last) @invocation
(nullsafe_member_call_expression name: (_) @last) @invocation
(scoped_call_expression name: (_) @last) @invocation
(object_creation_expression [(name) (qualified_name)] @new)
(namespace_use_declaration) @import
(namespace_definition name: (_) @package)
(include_expression (_) @import)
(include_once_expression (_) @import)
(require_expression (_) @import)
(require_once_expression (_) @import)
`;

export const bash = `
(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @variable)
(program (declaration_command (variable_assignment name: (variable_name) @name) @variable))
(program (list (variable_assignment name: (variable_name) @name) @variable))
(command name: (command_name) @call)
(command name: (command_name) @word argument: (_) @import (#any-of? @word "source" "."))
`;
