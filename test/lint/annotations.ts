import type { EndpointKind } from '@tollgate/catalog';

/** What a fixture says is to be found: a code, and exactly where. */
export interface Expected {
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

/** A policy in YAML whose head of comments says how it is read, and what is to be found where. */
export interface Fixture {
  readonly text: string;
  readonly profile: string;
  readonly endpoint: EndpointKind | undefined;
  readonly expected: readonly Expected[];
}

/**
 * Reads a fixture. `# finds CODE: STRETCH` stands for the first place below the head where these characters are and that no earlier line
 * of the head with the same code stands for; `# finds CODE` for an empty range at the end of the last condition.
 */
export function readFixture(text: string): Fixture {
  const head = /^(?:#.*\n)*/.exec(text)![0];
  const header = (name: string) => new RegExp(`^# ${name}: (\\S+)$`, 'm').exec(head)?.[1];
  const expected: Expected[] = [];
  for (const [, code = '', stretch = ''] of head.matchAll(/^# finds ([\w/-]+):(?: (.*))?$/gm)) {
    const taken = expected.filter(one => one.code === code && text.startsWith(stretch, one.start)).at(-1);
    const start = stretch === '' ? endOfLastText(text) : text.indexOf(stretch, taken ? taken.end : head.length);
    expected.push({ code, start, end: start + stretch.length });
  }
  return {
    text,
    profile: header('profile') ?? 'edge-v2',
    endpoint: header('endpoint') as EndpointKind | undefined,
    expected,
  };
}

/** Before the last double quote. */
function endOfLastText(text: string): number {
  return text.lastIndexOf('"');
}
