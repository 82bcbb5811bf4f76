import type { ConfigType } from '@tollgate/catalog';
import { type DocumentNode, describeNode } from '../document/document-node.ts';
import type { ValueContext } from './value-context.ts';

/** Checks a whole number and its bounds. A number in quotes is an error with a safe fix. */
export function checkInt(
  node: DocumentNode,
  { min, max }: Extract<ConfigType, { kind: 'int' }>,
  context: ValueContext,
): void {
  const { what, reporter } = context;
  if (node.kind !== 'scalar' || typeof node.value !== 'number' || !Number.isInteger(node.value)) {
    reportNoInt(node, context);
  } else if (node.value < min || node.value > max) {
    reporter.report({
      code: 'config/out-of-range',
      message: `${what} must be from ${min} to ${max}, found ${node.value}`,
      range: node.range,
      args: { min, max, found: node.value },
    });
  }
}

function reportNoInt(node: DocumentNode, { what, reporter }: ValueContext): void {
  const digits = node.kind === 'scalar' && typeof node.value === 'string' && /^-?\d{1,15}$/.test(node.value);
  const found = digits ? 'a number in quotes' : describeNode(node);
  const newText = node.kind === 'scalar' ? String(node.value) : '';
  reporter.report({
    code: 'config/wrong-type',
    message: `${what} must be a whole number, found ${found}`,
    range: node.range,
    args: { expected: 'int', found },
    ...(digits && {
      fixes: [{ title: 'remove the quotes', applicability: 'safe', edits: [{ range: node.range, newText }] }],
    }),
  });
}
