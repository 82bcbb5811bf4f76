import { ExternalError } from '@tollgate/diagnostics';
import { z } from 'zod';
import type { WholeRecord } from '../store/port/store.ts';
import { FORMAT, FORMAT_VERSION } from './configuration.ts';

const RECORD = z.strictObject({
  id: z.string().min(1),
  kind: z.string().min(1),
  parent_id: z.string().nullable(),
  revision: z.int().min(1),
  created_at: z.iso.datetime(),
  refs: z.array(z.string()),
  claims: z.array(z.strictObject({ scope: z.string(), value: z.string() })),
  sources: z.array(z.string()),
  body: z.record(z.string(), z.unknown()),
});

const CONFIGURATION = z.strictObject({
  format: z.literal(FORMAT),
  version: z.number(),
  exported_at: z.string(),
  records: z.array(RECORD),
});

/**
 * Parses an exported configuration and checks that its records are consistent.
 *
 * @throws ExternalError `store/import` with the fault and its position
 */
export function readConfiguration(text: string, name: string): readonly WholeRecord[] {
  const { success, data, error } = CONFIGURATION.safeParse(parsed(text, name));
  if (!success) {
    const [issue] = error.issues;
    const place = issue === undefined || issue.path.length === 0 ? '' : ` at \`${issue.path.join('.')}\``;
    throw invalid(name, `${issue?.message ?? 'not a configuration'}${place}`);
  }
  if (data.version !== FORMAT_VERSION) {
    throw invalid(name, `expected format version ${FORMAT_VERSION}, found ${data.version}`);
  }
  const contents = data.records.map(({ parent_id, created_at, body, ...record }) => ({
    ...record,
    parentId: parent_id,
    createdAt: created_at,
    body: JSON.stringify(body),
  }));
  checkConsistency(contents, name);
  return contents;
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(name, cause instanceof Error ? cause.message : String(cause));
  }
}

function checkConsistency(contents: readonly WholeRecord[], name: string): void {
  const ids = new Set<string>();
  for (const { id } of contents) {
    if (ids.has(id)) throw invalid(name, `\`${id}\` occurs twice`);
    ids.add(id);
  }
  const claimed = new Set<string>();
  for (const { id, parentId, refs, claims } of contents) {
    for (const other of [...refs, ...(parentId === null ? [] : [parentId])]) {
      if (!ids.has(other)) throw invalid(name, `\`${id}\` refers to \`${other}\`, which is missing`);
    }
    for (const { scope, value } of claims) {
      const claim = JSON.stringify([scope, value]);
      if (claimed.has(claim)) throw invalid(name, `\`${id}\` and another record both claim \`${value}\``);
      claimed.add(claim);
    }
  }
}

function invalid(name: string, reason: string): ExternalError {
  return new ExternalError('store/import', `\`${name}\` is not a valid exported configuration: ${reason}`);
}
