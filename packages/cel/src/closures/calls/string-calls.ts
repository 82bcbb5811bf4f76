import type { Environment } from '../../environment/environment.ts';
import { compileMatcher } from '../../regex/compile-matcher.ts';
import { EvaluationError, NonValue } from '../../values/value.ts';
import { type Code, type Compiler, errorAt } from '../code/code.ts';
import type { Binary } from './arithmetic.ts';

/** Compiles a search for a constant string or a constant pattern; undefined for other overloads. */
export function compileStringCall(binary: Binary, compiler: Compiler): Code | undefined {
  const part = compiler.constantOf(binary.right);
  if (typeof part !== 'string') return undefined;
  if (binary.overloadId === 'matches' || binary.overloadId === 'matches_string')
    return match(binary, part, compiler.env);
  return SEARCHES.get(binary.overloadId)?.(binary.left, part);
}

/** Compiles a constant pattern once. An invalid pattern fails when it is evaluated. */
function match({ left, exprId }: Binary, source: string, { limits, patternEngine }: Environment): Code {
  const pattern = compileMatcher(source, limits, patternEngine);
  if (pattern instanceof EvaluationError) {
    const invalid = errorAt(exprId, pattern.code, pattern.message);
    return (activation, locals) => {
      const text = left(activation, locals);
      return text instanceof NonValue ? text : invalid;
    };
  }
  switch (pattern.kind) {
    case 'literal':
      return includes(left, pattern.text);
    case 'prefix':
      return startsWith(left, pattern.text);
    case 'suffix':
      return endsWith(left, pattern.text);
    case 'regexp':
      return matchesRegExp(left, pattern.regexp);
    default:
      return (activation, locals) => {
        const text = left(activation, locals);
        return typeof text === 'string' ? pattern.test(text) : text;
      };
  }
}

function includes(code: Code, part: string): Code {
  return (activation, locals) => {
    const text = code(activation, locals);
    return typeof text === 'string' ? text.includes(part) : text;
  };
}

function startsWith(code: Code, part: string): Code {
  return (activation, locals) => {
    const text = code(activation, locals);
    return typeof text === 'string' ? text.startsWith(part) : text;
  };
}

function endsWith(code: Code, part: string): Code {
  return (activation, locals) => {
    const text = code(activation, locals);
    return typeof text === 'string' ? text.endsWith(part) : text;
  };
}

function matchesRegExp(code: Code, regexp: RegExp): Code {
  return (activation, locals) => {
    const text = code(activation, locals);
    return typeof text === 'string' ? regexp.test(text) : text;
  };
}

const SEARCHES: ReadonlyMap<string, (text: Code, part: string) => Code> = new Map([
  ['contains_string', includes],
  ['starts_with_string', startsWith],
  ['ends_with_string', endsWith],
]);
