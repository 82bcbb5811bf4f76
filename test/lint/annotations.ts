import type { EndpointKind } from '@tollgate/catalog';

/** An expected finding: a code and its exact range. */
interface Expected {
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

/** A policy in YAML whose leading comments state its profile, its endpoint and the expected findings. */
export interface Fixture {
  readonly text: string;
  readonly profile: string;
  readonly endpoint: EndpointKind | undefined;
  readonly expected: readonly Expected[];
}

/**
 * Reads a fixture. `# finds CODE: TEXT` marks the first occurrence of the text after the leading comments that no earlier line with the
 * same code marks; `# finds CODE:` marks an empty range at the end of the last condition.
 */
export function readFixture(text: string): Fixture {
  const head = /^(?:#.*\n)*/.exec(text)![0];
  const header = (name: string) => new RegExp(`^# ${name}: (\\S+)$`, 'm').exec(head)?.[1];
  const expected: Expected[] = [];
  for (const [, code = '', marked = ''] of head.matchAll(/^# finds ([\w/-]+):(?: (.*))?$/gm)) {
    const taken = expected.filter(earlier => earlier.code === code && text.startsWith(marked, earlier.start)).at(-1);
    const start = marked === '' ? endOfLastString(text) : text.indexOf(marked, taken ? taken.end : head.length);
    expected.push({ code, start, end: start + marked.length });
  }
  return {
    text,
    profile: header('profile') ?? 'edge-v2',
    endpoint: header('endpoint') as EndpointKind | undefined,
    expected,
  };
}

/** Returns the offset of the last double quote. */
function endOfLastString(text: string): number {
  return text.lastIndexOf('"');
}
