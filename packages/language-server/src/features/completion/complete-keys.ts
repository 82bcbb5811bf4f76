import type { ActionFact, ConfigField, ConfigType, Sample } from '@tollgate/catalog';
import type { Range } from '@tollgate/diagnostics';
import { CompletionItemKind } from 'vscode-languageserver-types';
import { actionsIn, fieldsIn, type Shape, type ShapedDocument } from '../../cursor/document-shape.ts';
import type { PositionContext } from '../../cursor/position-context.ts';
import { describeAction } from '../../describe/describe-facts.ts';
import { describeField } from '../../describe/describe-types.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { HEADER_NAMES } from './known-values.ts';
import type { Suggestion } from './suggestion.ts';

/** A position outside of expressions. */
export interface Position {
  readonly snapshot: Snapshot;
  readonly document: ShapedDocument;
  readonly context: PositionContext;
  readonly shape: Shape;
  readonly offset: number;
  /** The key or scalar to replace. */
  readonly word: Range;
}

/** Returns the keys that a map may have and does not have yet. */
export function completeKeys(position: Position): readonly Suggestion[] {
  const { shape, context, snapshot, word } = position;
  const { type, role } = shape;
  const written = snapshot.source.text.slice(word.start, word.end);
  const present = new Set([...context.siblings().keys()].filter(key => key !== written));
  if (type.kind === 'map') return mapKeys(position).filter(({ label }) => !present.has(label));
  if (type.kind !== 'object') return [];
  const fields = type.fields.filter(({ name }) => !present.has(name));
  const keys = fields.map(field => keySuggestion(field, position));
  const isNewAction = role === 'action' && !present.has('type') && !context.isFlow && shape.phase !== undefined;
  return isNewAction
    ? [...keys, ...actionsIn(position.document, shape.phase!).map(fact => actionSuggestion(fact, position))]
    : keys;
}

/** A map whose keys are free: names of headers, lint rules, or rules of the tested policy. */
function mapKeys({ shape, snapshot, document, context, word }: Position): readonly Suggestion[] {
  const { type, field } = shape;
  const isHeaders = (type.kind === 'map' && type.key === 'header-name') || field?.name === 'headers';
  const names = isHeaders
    ? HEADER_NAMES.map(name => ({ name, detail: 'header' }))
    : field?.name === 'rules' && snapshot.kind === 'project'
      ? snapshot.project.rules.map(({ id, summary }) => ({ name: id, detail: summary }))
      : [];
  const isCanonical = document.profile.headerNames === 'canonical';
  return names.map(({ name, detail }) => {
    const label = isHeaders && isCanonical ? name.replace(/(?:^|-)[a-z]/g, part => part.toUpperCase()) : name;
    return { ...{ label, detail, range: word, kind: CompletionItemKind.Property }, text: keyText(label, context, '') };
  });
}

function keySuggestion(field: ConfigField, { context, word, snapshot }: Position): Suggestion {
  const { name, type, required, deprecated } = field;
  const hasColon = /^["']?\s*:/.test(snapshot.source.text.slice(word.end, word.end + 20));
  const tail = context.isFlow || hasColon ? undefined : snippetOf(type, field.default);
  return {
    label: name,
    kind: CompletionItemKind.Property,
    detail: required ? 'required' : type.kind,
    range: word,
    rank: required ? 0 : deprecated ? 5 : 1,
    text: hasColon ? name : keyText(name, context, ''),
    ...(tail !== undefined && { snippet: keyText(name, context, tail) }),
    documentation: () => describeField(field),
    ...(deprecated && { isDeprecated: true }),
    continues: ['bool', 'choice', 'int', 'expression'].includes(type.kind),
  };
}

/** Returns a key with its colon; in JSON, with quotes unless they are there. */
function keyText(name: string, { isFlow, style }: PositionContext, tail: string): string {
  if (style === 'double' || style === 'single') return name;
  const shown = /^[\w./-]+$/.test(name) && !isFlow ? name : isFlow && style === undefined ? `"${name}"` : name;
  return tail.startsWith('\n') ? `${shown}:${tail}` : `${shown}: ${tail}`;
}

/** Returns what follows the colon, with a placeholder. */
function snippetOf(type: ConfigType, value: Sample | undefined): string {
  switch (type.kind) {
    case 'object':
    case 'map':
      return '\n  $0';
    case 'list':
      return '\n  - $0';
    case 'bool':
    case 'int':
    case 'number':
      return value === undefined ? '$0' : `\${1:${JSON.stringify(value)}}$0`;
    default:
      return '$0';
  }
}

/** An action with the keys that it requires, or those of its example. */
function actionSuggestion(fact: ActionFact, { word, document, shape }: Position): Suggestion {
  return {
    label: fact.type,
    kind: CompletionItemKind.Struct,
    detail: 'action',
    range: word,
    rank: 2,
    text: `type: ${fact.type}`,
    snippet: `type: ${fact.type}${configSnippet(fact, document, shape)}`,
    documentation: () => describeAction(fact),
  };
}

/** Returns the configuration of an action as a snippet, indented for a map that begins in the column of the cursor. */
export function configSnippet(fact: ActionFact, document: ShapedDocument, { phase }: Pick<Shape, 'phase'>): string {
  const example = isRecord(fact.example) ? fact.example : {};
  const fields = fieldsIn(fact, document, phase).filter(({ name, required }) => required || name in example);
  if (fields.length === 0) return '';
  const lines = fields.map(({ name, type, default: usual }, index) => {
    const value = example[name] ?? usual;
    return `  ${name}: \${${index + 1}:${escaped(sampleText(type, value))}}`;
  });
  return `\nconfig:\n${lines.join('\n')}`;
}

function sampleText(type: ConfigType, value: Sample | undefined): string {
  if (value !== undefined) return JSON.stringify(value);
  if (type.kind === 'list') return '[]';
  if (type.kind === 'map' || type.kind === 'object') return '{}';
  return type.kind === 'choice' ? (type.values[0] ?? '') : '""';
}

/** Escapes a text for use in a placeholder. */
function escaped(text: string): string {
  return text.replaceAll(/[\\$}]/g, String.raw`\$&`);
}

function isRecord(value: Sample | undefined): value is { readonly [key: string]: Sample } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
