import type { Diagnostic } from '../../diagnostic.ts';
import type { Range } from '../../range.ts';
import type { SourceText } from '../../source-text.ts';
import { type XmlElement, xmlDocument } from '../encoding/xml.ts';
import {
  isFailing,
  type Report,
  type ReportedCase,
  type SuppressedDiagnostic,
  sortDiagnostics,
  sourcesByUri,
} from '../model/report.ts';
import type { ReportOptions } from '../model/report-options.ts';
import { shownPath } from '../model/shown-path.ts';
import { locationOf } from '../model/source-location.ts';

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
