// Compiles the English texts of the web pages when they are built, so that no browser loads the compiler.
import type { NodePath, PluginObj, types } from '@babel/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { linguiTransformerBabelPreset } from '@lingui/vite-plugin';

/** Lingui's transformation, which writes a text as `{ id, message }`, and then the compilation of the message. */
export function messagesPreset() {
  const { preset, ...filter } = linguiTransformerBabelPreset({ descriptorFields: 'message' });
  return { ...filter, preset: { plugins: [...preset.plugins, compiledMessages] } };
}

function compiledMessages(babel: { types: typeof types }): PluginObj {
  const compile = ({ node }: NodePath<types.ObjectExpression>) => {
    const message = node.properties.find((property) => isNamed(property, 'message'));
    if (message?.value.type !== 'StringLiteral') return;
    if (!node.properties.some((property) => isNamed(property, 'id'))) return;
    const tokens = compileMessage(message.value.value);
    const isPlain = tokens.length === 1 && typeof tokens[0] === 'string';
    message.value = babel.types.valueToNode(isPlain ? tokens[0] : JSON.parse(JSON.stringify(tokens)));
  };
  return { visitor: { Program: { exit: (program) => program.traverse({ ObjectExpression: compile }) } } };
}

function isNamed(
  property: types.ObjectExpression['properties'][number],
  name: string,
): property is types.ObjectProperty {
  return property.type === 'ObjectProperty' && property.key.type === 'Identifier' && property.key.name === name;
}
