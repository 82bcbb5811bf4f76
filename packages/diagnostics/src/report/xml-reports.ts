import type { Diagnostic, Range, Severity } from '../diagnostic.ts';
import type { SourceText } from '../source-text.ts';
import {
  isFailing,
  locationOf,
  type Report,
  type ReportedCase,
  type ReportOptions,
  type SuppressedDiagnostic,
  shownPath,
  sortDiagnostics,
  sourcesByUri,
} from './report.ts';

/**
 * Returns a report in JUnit XML: a suite for each file, a case for each finding. Findings that make the command fail are failures, others
 * are passed cases, suppressed ones are skipped. A file without findings is one passed case. A policy test is a case with
 * all its findings.
 */
export function junitReport(report: Report, options: ReportOptions = {}): string {
  const suites = [...fileSuites(report, options), ...failureSuites(report.failures ?? [])];
  const total = (name: string) => suites.reduce((sum, { attributes }) => sum + Number(attributes[name]), 0);
  const counts = { tests: total('tests'), failures: total('failures'), errors: total('errors') };
  return xmlDocument({ name: 'testsuites', attributes: { name: 'tollgate', ...counts }, children: suites });
}

function fileSuites(report: Report, { directory }: ReportOptions): readonly XmlElement[] {
  const sources = sourcesByUri(report);
  const tried = Map.groupBy(report.cases ?? [], ({ uri }) => uri);
  const told = new Set(report.cases?.flatMap(one => one.diagnostics));
  const found = Map.groupBy(
    sortDiagnostics(report).filter(diagnostic => !told.has(diagnostic)),
    ({ uri }) => uri,
  );
  const skipped = Map.groupBy(report.suppressed ?? [], ({ diagnostic }) => diagnostic.uri);
  const uris = new Set([...sources.keys(), ...found.keys(), ...skipped.keys()]);
  // A policy that was only tested has no case of its own.
  const listed = [...uris].filter(uri => !report.cases || tried.has(uri) || found.has(uri) || skipped.has(uri));
  return listed.map(uri => {
    const file = { path: shownPath(uri, directory), source: sources.get(uri) };
    const cases = [
      ...(tried.get(uri) ?? []).map(one => triedCase(one, file)),
      ...(found.get(uri) ?? []).map(one => findingCase(one, file, isFailing(one, report))),
      ...(skipped.get(uri) ?? []).map(one => skippedCase(one, file)),
    ];
    return suite(
      file.path,
      cases.length > 0 ? cases : [{ name: 'testcase', attributes: caseName('no findings', file) }],
    );
  });
}

function failureSuites(failures: NonNullable<Report['failures']>): readonly XmlElement[] {
  if (failures.length === 0) return [];
  const cases = failures.map(({ code, message }) => ({
    name: 'testcase',
    attributes: { name: code, classname: 'tollgate' },
    children: [{ name: 'error', attributes: { type: code, message } }],
  }));
  return [suite('what could not be read', cases)];
}

function suite(name: string, cases: readonly XmlElement[]): XmlElement {
  const count = (kind: string) =>
    cases.filter(one => one.children?.some(child => typeof child === 'object' && child.name === kind)).length;
  const counts = { failures: count('failure'), errors: count('error'), skipped: count('skipped') };
  return { name: 'testsuite', attributes: { name, tests: cases.length, ...counts }, children: cases };
}

interface File {
  readonly path: string;
  readonly source: SourceText | undefined;
}

function caseName(name: string, { path }: File): Readonly<Record<string, string>> {
  return { name, classname: path, file: path };
}

/** A case has at most one failure, however many expectations fail. */
function triedCase({ name, range, status, reason, diagnostics }: ReportedCase, file: File): XmlElement {
  const lineOf = (at: Range) => locationOf(file.source, at, 'code-point').line;
  const texts = diagnostics.map(({ message, range: at }) => `${file.path}:${lineOf(at)}: ${message}`);
  const [first] = diagnostics;
  const failure = first && {
    name: 'failure',
    attributes: { type: first.code, message: first.message },
    children: [texts.join('\n')],
  };
  const skipped = { name: 'skipped', attributes: { ...(reason !== undefined && { message: reason }) } };
  const told = status === 'skipped' ? skipped : failure;
  const attributes = { ...caseName(name, file), line: lineOf(range) };
  return { name: 'testcase', attributes, children: told ? [told] : [] };
}

function findingCase(diagnostic: Diagnostic, file: File, fails: boolean): XmlElement {
  const { code, severity, message, range } = diagnostic;
  const { line, column } = locationOf(file.source, range, 'code-point');
  const text = `${file.path}:${line}:${column}: ${severity}: ${message}`;
  const result: XmlElement = fails
    ? { name: 'failure', attributes: { type: code, message }, children: [text] }
    : { name: 'system-out', attributes: {}, children: [text] };
  const attributes = { ...caseName(`${code} ${line}:${column}`, file), line };
  return { name: 'testcase', attributes, children: [result] };
}

function skippedCase({ diagnostic: { code, range }, by, reason }: SuppressedDiagnostic, file: File): XmlElement {
  const { line, column } = locationOf(file.source, range, 'code-point');
  const message = `suppressed by ${by === 'comment' ? 'a comment' : `the ${by}`}${reason === undefined ? '' : `: ${reason}`}`;
  return {
    name: 'testcase',
    attributes: { ...caseName(`${code} ${line}:${column}`, file), line },
    children: [{ name: 'skipped', attributes: { message } }],
  };
}

const SEVERITY: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'info', hint: 'info' };

/** Returns a report in Checkstyle XML, which most CI servers read. */
export function checkstyleReport(report: Report, { directory }: ReportOptions = {}): string {
  const sources = sourcesByUri(report);
  const byFile = Map.groupBy(sortDiagnostics(report), ({ uri }) => uri);
  const uris = new Set([...sources.keys(), ...byFile.keys()]);
  const children = [...uris].map(uri => ({
    name: 'file',
    attributes: { name: shownPath(uri, directory) },
    children: (byFile.get(uri) ?? []).map(diagnostic => errorElement(diagnostic, sources.get(uri))),
  }));
  return xmlDocument({ name: 'checkstyle', attributes: { version: '4.3' }, children });
}

function errorElement({ range, severity, message, code }: Diagnostic, source: SourceText | undefined): XmlElement {
  const { line, column } = locationOf(source, range, 'code-point');
  return { name: 'error', attributes: { line, column, severity: SEVERITY[severity], message, source: code } };
}

/** An XML element. */
interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children?: readonly (XmlElement | string)[];
}

/** Returns an XML 1.0 document. Characters that it cannot contain (most control characters, unpaired surrogates) become U+FFFD. */
function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${elementText(root, '')}\n`;
}

function elementText({ name, attributes, children = [] }: XmlElement, indent: string): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeAttribute(String(value))}"`);
  const start = `${indent}<${name}${written.join('')}`;
  if (children.length === 0) return `${start}/>`;
  // Indentation next to text would become part of it.
  if (children.every(child => typeof child === 'string'))
    return `${start}>${children.map(escapeText).join('')}</${name}>`;
  const inner = children.map(child =>
    typeof child === 'string' ? escapeText(child) : elementText(child, `${indent}  `),
  );
  return [`${start}>`, ...inner, `${indent}</${name}>`].join('\n');
}

/** Escapes markup, and what a terminal or a log would obey. */
function escapeText(text: string): string {
  return onlyCharacters(text).replace(
    /[&<>\t\r\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g,
    character => `&#${character.charCodeAt(0)};`,
  );
}

/** Also escapes line breaks and tabs, which would otherwise become spaces. */
function escapeAttribute(text: string): string {
  return onlyCharacters(text).replace(
    /[&<>"\t\n\r\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/g,
    character => `&#${character.charCodeAt(0)};`,
  );
}

/** The characters of XML 1.0, section 2.2. */
function onlyCharacters(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
