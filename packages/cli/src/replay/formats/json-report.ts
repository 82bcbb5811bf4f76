import { escapedControls, jsonDiagnostics } from '@tollgate/diagnostics';
import type { ReplayResult } from '../result/replay-result.ts';

/** Version of the format. It increases when programs that read it may have to change. */
const VERSION = 1;

/** Returns all figures as JSON; `docs/reference/replay.md` describes them. */
export function jsonDocument(answer: ReplayResult): object {
  const { kind, name, profile, endpoint, origin, engine, report, traffic, selection, parts, unrouted, unread } = answer;
  const routes = parts.map(({ route, exchanges, summary }) => ({ route, exchanges, ...summary }));
  return {
    version: VERSION,
    [kind]: name,
    profile,
    endpoint,
    origin,
    engine,
    diagnostics: jsonDiagnostics(report),
    ...traffic,
    selection,
    unread: unread?.length ? unread : undefined,
    ...(kind === 'edge' ? { routes, ...unrouted } : parts[0]?.summary),
  };
}

/** Returns JSON with lists of numbers on one line. */
export function jsonText(document: object): string {
  return `${indented(document, '')}\n`;
}

function indented(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.every(item => typeof item === 'number')) return `[${value.join(', ')}]`;
    const items = value.map(item => inner + indented(item, inner));
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (typeof value !== 'object' || value === null)
    return value === undefined ? 'null' : escapedControls(JSON.stringify(value));
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (fields.length === 0) return '{}';
  const lines = fields.map(
    ([key, field]) => `${inner}${escapedControls(JSON.stringify(key))}: ${indented(field, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
