import { lineStart, type Range } from '@tollgate/diagnostics';
import type { YAMLError } from 'yaml';
import type { Finding } from '../model/reporter.ts';
import { isStructural, structureProblem } from './structure-problem.ts';

/** Messages for the YAML parser's codes; all others use the parser's own message, adapted. */
const MESSAGES: Readonly<Record<string, string>> = {
  TAB_AS_INDENT: 'tab used for indentation; use spaces',
  BLOCK_AS_IMPLICIT_KEY: 'map in the middle of a line; put quotes around a string that contains `: `',
  MULTILINE_IMPLICIT_KEY: 'key on several lines; write it on one line',
};

/**
 * Converts the YAML parser's errors into findings. Drops errors that follow from a tag or tab on the same line, and
 * all structural errors but the first, since the others usually follow from it.
 */
export function yamlFindings(document: string, all: readonly YAMLError[]): readonly Finding[] {
  const tab = all.find(({ code }) => code === 'TAB_AS_INDENT');
  const first = tab ?? all.filter(isStructural).reduce<YAMLError | undefined>(earlier, undefined);
  const problems = all.filter(problem => problem === first || !isStructural(problem));
  const causes = new Set(problems.filter(isCause).map(problem => lineEnd(document, problem.pos[0])));
  return problems
    .filter(problem => isCause(problem) || !causes.has(lineEnd(document, problem.pos[0])))
    .map(problem => (isTag(problem) ? tagFinding(document, problem) : finding(document, problem)));
}

function earlier(a: YAMLError | undefined, b: YAMLError): YAMLError {
  return a && a.pos[0] <= b.pos[0] ? a : b;
}

function isCause(problem: YAMLError): boolean {
  return isTag(problem) || problem.code === 'TAB_AS_INDENT';
}

function isTag(problem: YAMLError): boolean {
  return problem.code === 'TAG_RESOLVE_FAILED';
}

function finding(document: string, problem: YAMLError): Finding {
  const { code } = problem;
  if (code === 'BAD_DQ_ESCAPE') return escapeFinding(document, problem);
  const explained = isStructural(problem) ? structureProblem(document, problem) : undefined;
  if (explained) return explained;
  return {
    code: `yaml/${code.toLowerCase().replaceAll('_', '-')}`,
    message: MESSAGES[code] ?? adapted(problem.message),
    range: clampRange(document, problem.pos),
    args: {},
  };
}

/** Usually a regular expression or a Windows path. */
function escapeFinding(document: string, problem: YAMLError): Finding {
  const range = clampRange(document, [problem.pos[0], problem.pos[0] + 2]);
  const written = document.slice(range.start, range.end);
  const edits = [{ range: { start: range.start, end: range.start }, newText: '\\' }];
  return {
    code: 'yaml/bad-dq-escape',
    message: `\`${written}\` is not a YAML escape; write \`\\${written}\`, or use single quotes`,
    range,
    args: { found: written },
    fixes: [{ title: 'double the backslash', applicability: 'suggestion', edits }],
  };
}

/** Usually an expression that begins with `!`. */
function tagFinding(document: string, problem: YAMLError): Finding {
  const range = firstTag(document, problem.pos[0]);
  const line = { start: range.start, end: lineEnd(document, range.start) };
  const text = document.slice(line.start, line.end).trimEnd();
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return {
    code: 'yaml/unknown-tag',
    message: `\`${document.slice(range.start, range.end)}\` is a tag in YAML; put quotes around a string that begins with \`!\``,
    range,
    args: { tag: document.slice(range.start, range.end) },
    fixes: [
      {
        title: 'put quotes around it',
        applicability: 'suggestion',
        edits: [{ range: { start: line.start, end: line.start + text.length }, newText: quoted }],
      },
    ],
  };
}

/** Of several tags on a line, the parser reports the last. */
function firstTag(document: string, offset: number): Range {
  const lineOffset = lineStart(document, offset);
  const before = /(?<=^|\s)!/.exec(document.slice(lineOffset, offset + 1));
  const start = before ? lineOffset + before.index : offset;
  const length = /^\S+/.exec(document.slice(start, lineEnd(document, start)))?.[0].length ?? 0;
  return { start, end: start + length };
}

function lineEnd(document: string, offset: number): number {
  const end = document.indexOf('\n', offset);
  return end < 0 ? document.length : end;
}

function clampRange(document: string, [start, end]: readonly [number, number]): Range {
  const from = Math.min(Math.max(start, 0), document.length);
  return { start: from, end: Math.min(Math.max(end, from), document.length) };
}

function adapted(message: string): string {
  const text = message
    .replace(/\.$/, '')
    .replace(/^Missing closing (["'])quote$/, 'unterminated string; add `$1`')
    .replace(/"([^"]*)"/g, '`$1`')
    .replace(/flow sequence in block collection/i, 'a list in brackets')
    .replace(/flow map in block collection/i, 'a map in braces')
    .replace(/mapping/g, 'map')
    .replace(/(?<!escape )sequence/g, 'list');
  return text.charAt(0).toLowerCase() + text.slice(1);
}
