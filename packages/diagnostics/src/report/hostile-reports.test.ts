import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { printable } from '../code-frame.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { SourceText } from '../source-text.ts';
import type { Report } from './report.ts';
import { REPORTERS } from './reporters.ts';

/** Strings made to break a report: markup, escapes, line breaks, unpaired surrogates, control characters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '&',
        '"',
        "'",
        '%',
        ':',
        ',',
        '::',
        '|',
        '`',
        '\\',
        '\n',
        '\r',
        '\t',
        '\0',
        '\u001b[31m',
        '\u009b31m',
        '\u0085',
        '\u007f',
        '\u061c',
      ),
      fc.constantFrom(
        ']]>',
        '<!--',
        '&lt;',
        '%0A',
        '\ud800',
        '\udc00',
        '\ufffe',
        '\u202e',
        '\u2028',
        '</failure>',
        '::error::',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  .map(parts => parts.join(''));

const reports: fc.Arbitrary<Report> = fc
  .array(fc.record({ uri: hostile, text: hostile, message: hostile, at: fc.nat(20), to: fc.nat(20) }), { maxLength: 4 })
  .map(found => ({
    sources: found.map(({ uri, text }) => new SourceText(uri, text)),
    diagnostics: found.map(({ uri, text, message, at, to }): Diagnostic => {
      const range = { start: Math.min(at, text.length), end: Math.min(at + to, text.length) };
      return { code: 'a/b', severity: 'error', message, uri, range, args: { message } };
    }),
  }));

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Throws if the XML is not well-formed. */
function parseXml(xml: string): readonly Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', error => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', text => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(xml).close();
  return elements;
}

/** Characters that XML cannot contain. */
function inXml(text: string): string {
  return text.toWellFormed().replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd');
}

function messages(report: Report): readonly string[] {
  return report.diagnostics.map(({ message }) => message).sort();
}

const runs = { numRuns: 400 };

it('checkstyle preserves messages and names', () => {
  fc.assert(
    fc.property(reports, report => {
      const elements = parseXml(REPORTERS.checkstyle(report));
      const errors = elements.filter(({ name }) => name === 'error');
      expect(errors.map(({ attributes }) => attributes.message).sort()).toEqual(messages(report).map(inXml).sort());
    }),
    runs,
  );
});

it('JUnit preserves messages, and counts correctly', () => {
  fc.assert(
    fc.property(reports, report => {
      const elements = parseXml(REPORTERS.junit(report));
      const failures = elements.filter(({ name }) => name === 'failure');
      expect(failures.map(({ attributes }) => attributes.message).sort()).toEqual(messages(report).map(inXml).sort());
      expect(elements[0]!.attributes.failures).toBe(String(failures.length));
      for (const { text, attributes } of failures) expect(text.endsWith(attributes.message!)).toBe(true);
    }),
    runs,
  );
});

it.each(['json', 'gitlab', 'rdjson'] as const)('%s preserves messages', format => {
  fc.assert(
    fc.property(reports, report => {
      const parsed = JSON.parse(REPORTERS[format](report));
      const found = (Array.isArray(parsed) ? parsed : parsed.diagnostics) as {
        description?: string;
        message?: string;
      }[];
      expect(found.map(({ description, message }) => description ?? message).sort()).toEqual(messages(report));
    }),
    runs,
  );
});

it.each(['ndjson', 'rdjsonl'] as const)('%s has one JSON value per line', format => {
  fc.assert(
    fc.property(reports, report => {
      const lines = REPORTERS[format](report)
        .split('\n')
        .slice(0, -1)
        .map(line => JSON.parse(line));
      const found = lines.filter(({ kind }) => kind !== 'summary');
      expect(found.map(({ message }) => message).sort()).toEqual(messages(report));
    }),
    runs,
  );
});

/** Parses commands as the GitHub Actions runner does. */
function parseCommand(line: string) {
  const {
    command,
    properties = '',
    data = '',
  } = /^::(?<command>\w+)(?: (?<properties>[^:]*(?::(?!:)[^:]*)*))?::(?<data>.*)$/s.exec(line)!.groups!;
  const decode = (text: string) =>
    text
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%25', '%');
  const pairs = properties.split(',').map(pair => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), decode(pair.slice(at + 1))];
  });
  return { command, properties: Object.fromEntries(pairs), data: decode(data) };
}

it('GitHub receives one command per line, with the file name', () => {
  fc.assert(
    fc.property(reports, report => {
      const lines = REPORTERS.github(report).split('\n').slice(0, -1);
      const commands = lines.map(parseCommand);
      expect(commands.map(({ properties }) => Object.keys(properties).slice(0, 3))).toEqual(
        report.diagnostics.map(() => ['file', 'line', 'endLine']),
      );
      const files = report.diagnostics.map(({ uri }) => printable(uri.replace(/^(?:\.\/+)+(?=[^/])/, '')));
      expect(commands.map(({ properties }) => properties.file).sort()).toEqual(files.sort());
    }),
    runs,
  );
});

it.each(Object.entries(REPORTERS))('%s moves no cursor, and reverses no text', (format, reporter) => {
  fc.assert(
    fc.property(reports, report => {
      const text = reporter(report);
      expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/);
      if (format === 'compact') expect(text.split('\n')).toHaveLength(report.diagnostics.length + 2);
    }),
    runs,
  );
});

it('Markdown contains no injected markup', () => {
  fc.assert(
    fc.property(reports, report => {
      const text = REPORTERS.markdown(report);
      const rows = text.split('\n').filter(line => line.startsWith('|'));
      expect(rows).toHaveLength(report.diagnostics.length === 0 ? 0 : report.diagnostics.length + 5);
      expect(text.replaceAll(/<\/?code>/g, '')).not.toMatch(/[<>]/);
    }),
    runs,
  );
});
