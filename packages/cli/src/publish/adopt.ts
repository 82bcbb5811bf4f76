// `tollgate adopt`: takes over policies that are published already.

import { readFileSync } from 'node:fs';
import { ExternalError } from '@tollgate/diagnostics';
import { type PlainValue, updateYaml } from '@tollgate/policy';
import { createLocator, type LiveEdges, type LiveRecord, phasesOf, RECORD_KINDS, recordKey } from '@tollgate/publisher';
import { pluralize } from '@tollgate/reports';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import { printMessage, type Terminal } from '../process/terminal.ts';
import { replaceFile } from '../trust/replace-file.ts';
import { openRemote } from './open-remote.ts';
import { chooseEnvironment, loadProject, type PublishProject } from './project.ts';
import { readAddresses } from './targets.ts';

/** Adds targets for an existing edge to the project file: one for each route, or one for a TLS or TCP edge. Sends only reads. */
export async function adopt(edge: string, environment: string | undefined, terminal: Terminal): Promise<ExitCode> {
  const project = await loadProject(terminal);
  if (typeof project === 'number') return project;
  const chosen = chooseEnvironment(project, environment);
  const remote = openRemote(project, chosen, terminal);
  const listed = await remote.list(RECORD_KINDS);
  if (!listed.ok) throw new ExternalError('publish/api', listed.failure.message);
  const records = recordsOf(edge, listed.value);
  if (records.length === 0) {
    throw new ExternalError(
      'publish/no-record',
      `no edge \`${edge}\` with a route; pass an id, a host, a hostport or a URL of the edge`,
    );
  }
  const known = knownRecords(project, chosen.name, listed.value);
  const fresh = records.filter(({ ref }) => !known.has(recordKey(ref)));
  if (fresh.length === 0) {
    const names = [...new Set(records.map(({ ref }) => `\`${known.get(recordKey(ref))}\``))].join(', ');
    printMessage(terminal, `\`${edge}\` has been adopted already: ${names}`);
    return EXIT.clean;
  }
  const taken = new Set(Object.keys(project.publish.targets ?? {}));
  let text = readFileSync(project.path, 'utf8');
  for (const record of fresh) {
    // Lists show no policy where only `/traffic_policy` can represent it.
    const reading = record.modules.policy === null ? await remote.read(record.ref) : undefined;
    if (reading?.ok === false) throw new ExternalError('publish/api', reading.failure.message);
    const { modules } = reading?.value.record ?? record;
    const name = freeName(record, taken);
    const updated = updateYaml(
      text,
      { document: undefined, steps: ['targets', name] },
      targetFor(name, { ...record, modules }),
    );
    if (updated === undefined) throw new UsageError(`\`${project.path}\` has errors; fix them first`);
    text = updated;
    terminal.write(`${name}\n`);
  }
  const failure = await replaceFile(project.path, text, { by: { repositoryOf: project.directory } });
  if (failure) throw failure;
  printMessage(
    terminal,
    `added ${pluralize(fresh.length, 'target')} to \`${project.path}\`; \`tollgate pull\` writes their policies`,
  );
  return EXIT.clean;
}

/** Returns the targets that records already have. */
function knownRecords(project: PublishProject, environment: string, live: LiveEdges): ReadonlyMap<string, string> {
  if (Object.keys(project.publish.targets ?? {}).length === 0) return new Map();
  const locate = createLocator(live);
  const found = readAddresses({ project, environment, only: undefined }).flatMap(({ name, address }) => {
    const located = locate(address);
    return 'fault' in located ? [] : [[recordKey(located.record.ref), name] as const];
  });
  return new Map(found);
}

/** Returns the records of an edge. A host without a port stands for port 443, and else for the only edge that has the host at all. */
function recordsOf(edge: string, { records }: LiveEdges): readonly LiveRecord[] {
  const named = (names: readonly string[]) =>
    records.filter(({ ref, hostports }) =>
      [ref.edgeId ?? ref.id, ...hostports].some(one => names.includes(one.toLowerCase()) || names.includes(one)),
    );
  const exact = named(namesOf(edge));
  if (exact.length > 0 || /[:/]/.test(edge)) return exact;
  const secure = named([`${edge.toLowerCase()}:443`]);
  if (secure.length > 0) return secure;
  const isOfHost = (one: string) => one.toLowerCase().replace(/:\d+$/, '') === edge.toLowerCase();
  const found = records.filter(({ hostports }) => hostports.some(isOfHost));
  if (new Set(found.map(({ ref }) => ref.edgeId ?? ref.id)).size < 2) return found;
  const names = [...new Set(found.flatMap(({ hostports }) => hostports.filter(isOfHost)))];
  throw new UsageError(
    `several edges have the host \`${edge}\`; pass one of ${names.map(one => `\`${one}\``).join(', ')}`,
  );
}

/** A URL stands for the hostport that it connects to. */
function namesOf(edge: string): readonly string[] {
  const url = edge.includes('://') ? URL.parse(edge) : null;
  if (!url) return [edge, edge.toLowerCase()];
  const port = url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port;
  return [`${url.hostname}:${port}`];
}

function freeName({ ref, route, hostports }: LiveRecord, taken: Set<string>): string {
  const host = (hostports[0] ?? ref.id).split(':')[0]!;
  const words = `${host} ${route === undefined || route.match === '/' ? '' : route.match}`.match(/[A-Za-z0-9]+/g) ?? [];
  const base = words.join('-').toLowerCase();
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
  taken.add(name);
  return name;
}

function targetFor(name: string, { ref, route, hostports, modules }: LiveRecord): PlainValue {
  const edge = hostports[0] ?? ref.edgeId ?? ref.id;
  const address =
    ref.kind === 'https-route'
      ? { route: { edge, match: route!.match, matchType: route!.matchType } }
      : { [ref.kind === 'tls-edge' ? 'tlsEdge' : 'tcpEdge']: edge };
  const { ip_restriction: restriction, webhook_verification: webhook, policy } = modules;
  const hasRules = Object.keys(phasesOf(policy)).length > 0;
  const isAlone = !restriction && !webhook;
  return {
    ...((hasRules || isAlone) && { policy: `policies/${name}.yaml` }),
    ...address,
    ...(restriction && { ipRestriction: { ipPolicies: restriction.ip_policy_ids as PlainValue } }),
    ...(webhook && {
      webhookVerification: {
        provider: webhook.provider as PlainValue,
        // The secret itself stays out of the project file.
        ...(webhook.secret !== '' && { secret: { env: `${name.replaceAll('-', '_').toUpperCase()}_WEBHOOK_SECRET` } }),
      },
    }),
  };
}
