import type { ConfigType } from '@tollgate/catalog';
import { nearest, validatePattern } from '@tollgate/cel/tooling';
import { type Range, unreachable } from '@tollgate/diagnostics';
import { type DocumentNode, describeNode, type ScalarNode } from '../document/model/document-node.ts';
import { contentRange, documentRange } from '../document/model/mapped-text.ts';
import type { Finding } from '../document/model/reporter.ts';
import { HEADER_NAME_PATTERN } from '../expression/header-name.ts';
import { isUrl } from '../functions/url.ts';
import { listed } from '../model/read-shape.ts';
import { checkBareExpression, checkInterpolations } from './check-embedded.ts';
import { isCidr } from './cidr.ts';
import { credentialsProblem } from './credentials.ts';
import { domainProblem } from './domain.ts';
import { durationSeconds } from './duration.ts';
import { reportStringTraps } from './string-traps.ts';
import { reportValue, type ValueContext } from './value-context.ts';

/** The types of configuration values that are written as strings. */
type StringType = Exclude<ConfigType, { kind: 'any' | 'bool' | 'int' | 'number' | 'list' | 'map' | 'object' }>;

/** A problem with a string. The message follows the name of the value. */
type Problem = Pick<Finding, 'code' | 'message' | 'args' | 'fixes'> & { readonly range?: Range };

const HEADER_NAME = new RegExp(HEADER_NAME_PATTERN, 'u');

/** Checks that a value is a string in the format of its type. */
export function checkString(node: DocumentNode, type: StringType, context: ValueContext): void {
  const { what } = context;
  if (type.kind === 'string' && type.orScalar && isSentAsText(node)) return;
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    reportNoText(node, context);
    return;
  }
  if (checkInterpolations(node, context)) return;
  if (type.kind === 'expression') checkBareExpression(node, type, context);
  else if (type.kind !== 'choice') reportStringTraps(node, context);
  const problem = problemOf(node, node.value, type);
  if (!problem) return;
  reportValue(context, { range: node.range, ...problem, message: `${what} ${problem.message}` });
}

function isSentAsText(node: DocumentNode): boolean {
  return node.kind === 'scalar' && (typeof node.value === 'number' || typeof node.value === 'boolean');
}

function reportNoText(node: DocumentNode, context: ValueContext): void {
  const { what, document } = context;
  const found = describeNode(node);
  const isSplit = isMapByColon(node, document);
  const why = isSplit ? '; put quotes around a string that contains `: ` or ends with `:`' : '';
  reportValue(context, {
    code: isSplit ? 'config/colon-in-text' : 'config/wrong-type',
    message: `${what} must be a string, found ${found}${why}`,
    range: node.range,
    args: { expected: 'string', found },
    ...((isSplit || isJsonInYaml(node, document) || (node.kind === 'scalar' && node.value !== null)) &&
      quoteFix(node, document)),
  });
}

/** `fe80::` without quotes is a map with one key. */
function isMapByColon(node: DocumentNode, document: string): boolean {
  if (node.kind !== 'map' || node.entries.length !== 1 || document[node.range.start] === '{') return false;
  return !document.slice(node.range.start, node.range.end).trimEnd().includes('\n');
}

/** An unquoted JSON body is a YAML map. JSON documents would need other quotes. */
function isJsonInYaml({ kind, range }: DocumentNode, document: string): boolean {
  if ((kind !== 'map' && kind !== 'list') || /^\s*[{[]/.test(document)) return false;
  const written = document.slice(range.start, range.end);
  return /^[{[]/.test(written) && !written.includes('\n');
}

/** Quotes a value that YAML read as something other than a string. */
function quoteFix({ range }: DocumentNode, document: string): Pick<Finding, 'fixes'> {
  const written = document.slice(range.start, range.end).trimEnd();
  const edits = [
    { range: { start: range.start, end: range.start + written.length }, newText: `'${written.replaceAll("'", "''")}'` },
  ];
  return { fixes: [{ title: 'put quotes around it', applicability: 'suggestion', edits }] };
}

function problemOf(node: ScalarNode, value: string, type: StringType): Problem | undefined {
  switch (type.kind) {
    case 'string':
      return stringProblem(value, type);
    case 'choice':
      return choiceProblem(node, value, type.values);
    case 'shape':
      return type.patterns.some(pattern => new RegExp(pattern, 'u').test(value))
        ? undefined
        : { code: 'config/bad-shape', message: `must be ${type.expected}`, args: { found: value } };
    case 'url':
      return isUrl(value)
        ? undefined
        : {
            code: 'config/bad-url',
            message: `must be a URL with a scheme, such as \`https://service.internal\`, found \`${value}\``,
            args: { found: value },
          };
    case 'domain':
      return domainProblem(value);
    case 'credentials':
      return credentialsProblem(value, type);
    case 'regex':
      return patternProblem(node, value);
    case 'duration':
      return durationProblem(value, type);
    case 'cidr':
      return isCidr(value)
        ? undefined
        : {
            code: 'config/bad-cidr',
            message: `must be an address range such as \`10.0.0.0/8\`, found \`${value}\``,
            args: { found: value },
          };
    case 'expression':
      return undefined;
    case 'header-name':
      return HEADER_NAME.test(value)
        ? undefined
        : {
            code: 'config/bad-header-name',
            message: `must be a header name, found \`${value}\``,
            args: { found: value },
          };
    default:
      return unreachable(type);
  }
}

function stringProblem(
  value: string,
  { nonEmpty, max = Number.POSITIVE_INFINITY }: Extract<ConfigType, { kind: 'string' }>,
): Problem | undefined {
  if (nonEmpty && value === '') return { code: 'config/empty', message: 'must not be empty', args: {} };
  if (value.length <= max) return undefined;
  const message = `must have at most ${max} characters, found ${value.length}`;
  return { code: 'config/too-long', message, args: { max, found: value.length } };
}

function choiceProblem(node: ScalarNode, value: string, values: readonly string[]): Problem | undefined {
  if (values.includes(value)) return undefined;
  const suggestion = nearest(value, values);
  const hint = suggestion === undefined ? '' : `; did you mean \`${suggestion}\`?`;
  const edits = [{ range: node.text ? contentRange(node.text) : node.range, newText: suggestion ?? '' }];
  return {
    code: 'config/bad-choice',
    message: `must be ${listed(values, 'or')}, found \`${value}\`${hint}`,
    args: { found: value, expected: values, ...(suggestion !== undefined && { suggestion }) },
    ...(suggestion !== undefined && {
      fixes: [{ title: `change to \`${suggestion}\``, applicability: 'suggestion', edits }],
    }),
  };
}

function patternProblem(node: ScalarNode, value: string): Problem | undefined {
  const fault = validatePattern(value);
  if (!fault) return undefined;
  const range = node.text && { range: documentRange(node.text, { start: fault.offset, end: fault.offset + 1 }) };
  return {
    code: 'config/bad-pattern',
    message: `is not a valid RE2 pattern: ${fault.message}`,
    args: { found: value },
    ...range,
  };
}

function durationProblem(
  value: string,
  { min, max, multipleOf }: Extract<ConfigType, { kind: 'duration' }>,
): Problem | undefined {
  const seconds = durationSeconds(value);
  if (seconds === undefined) {
    return {
      code: 'config/bad-duration',
      message: `must be a duration such as \`90s\` or \`1h30m\`, found \`${value}\``,
      args: { found: value },
    };
  }
  if (seconds >= min && seconds <= max && (multipleOf === undefined || seconds % multipleOf === 0)) return undefined;
  const steps = multipleOf === undefined ? '' : `, a multiple of ${multipleOf}s`;
  return {
    code: 'config/out-of-range',
    message: `must be from ${min}s to ${max}s${steps}, found \`${value}\``,
    args: {
      ...{ found: value, min, max, ...(multipleOf !== undefined && { multipleOf }) },
      refusal: seconds > max ? 2225 : 2204,
    },
  };
}
