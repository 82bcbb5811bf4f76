// Pages about what each profile offers to policies: variables, functions and actions, from the catalog.

import {
  type ActionFact,
  type ConfigField,
  type ConfigType,
  type FunctionFact,
  PROFILES,
  type Profile,
  phasesAt,
} from '@tollgate/catalog';
import type { Environment, FunctionDecl } from '@tollgate/cel';
import {
  describeAction,
  describeField,
  describeFunction,
  describePhase,
  describeVariable,
} from '@tollgate/language-server/descriptions';
import { createPhaseEnvironments } from '@tollgate/policy';
import { stringify } from 'yaml';
import { code, table } from '../reference/markdown-table.ts';
import { type SitePage, sitePage } from './site-page.ts';

/** Returns the pages of all profiles. */
export function catalogPages(): readonly SitePage[] {
  return PROFILES.flatMap(profile => [
    profilePage(profile),
    variablesPage(profile),
    functionsPage(profile),
    ...profile.actions.map(action => actionPage(profile, action)),
  ]);
}

function profilePage(profile: Profile): SitePage {
  const { name, doc, phases, endpoints, actions, variables, functions } = profile;
  const folder = folderOf(profile);
  const actionRows = actions.map(({ type, doc: what, phases: where }) => [
    `[${code(type)}](actions/${type}.md)`,
    firstLine(what),
    where.map(code).join(', '),
  ]);
  const endpointRows = endpoints.map(endpoint => [code(endpoint), phasesAt(profile, endpoint).map(code).join(', ')]);
  return sitePage(
    `${folder}/index.md`,
    `# The profile \`${name}\`

${doc} A policy may use ${variables.length} [variables](variables.md), the [functions](functions.md) of CEL and ${functions.length} of the edge, and ${actions.length} actions.

## Actions

${table(['action', 'what it does', 'phases'], actionRows)}
## Phases

${phases.map(phase => describePhase(profile, phase)).join('\n\n')}

## Endpoints

${table(['endpoint', 'phases, in the order in which they run'], endpointRows)}`,
    { description: `What policies of the profile ${name} may use: phases, endpoints and actions. ${doc}` },
  );
}

function variablesPage(profile: Profile): SitePage {
  const groups = Map.groupBy(profile.variables, ({ path }) => path.split('.').slice(0, 2).join('.'));
  const sections = [...groups].map(([group, variables]) => {
    const parts = variables.map(variable => {
      const [, ...rest] = describeVariable(variable).split('\n\n');
      return `### ${code(variable.path)}\n\nType \`${variable.type}\`. ${rest.join('\n\n')}\n`;
    });
    return `## ${code(group)} and its fields\n\n${parts.join('\n')}`;
  });
  const single = (text: string) => text.replace(/^## (`[^`]+`) and its fields\n\n### \1\n/gm, '## $1\n');
  return sitePage(
    `${folderOf(profile)}/variables.md`,
    `# Variables of \`${profile.name}\`\n\nWhat expressions can read in the [profile](index.md) \`${profile.name}\`.\n\n${sections.map(single).join('\n')}`,
  );
}

function functionsPage(profile: Profile): SitePage {
  const environments = environmentsOf(profile);
  const ofEdge = new Set(profile.functions.map(({ name }) => name));
  const functions = declaredIn(environments).filter(({ name }) => /^[a-z]/i.test(name));
  const byName = (a: FunctionDecl, b: FunctionDecl) => (a.name < b.name ? -1 : 1);
  const section = (decl: FunctionDecl) =>
    `### ${code(decl.name)}\n\n${describeFunction(decl, decl.overloads, factsOf(profile, decl.name))}\n`;
  const [edge, standard] = [true, false].map(isOfEdge =>
    functions.filter(({ name }) => ofEdge.has(name) === isOfEdge).toSorted(byName),
  );
  return sitePage(
    `${folderOf(profile)}/functions.md`,
    `# Functions of \`${profile.name}\`

What expressions can call in the [profile](index.md) \`${profile.name}\`: ${edge!.length} functions of the edge, and ${standard!.length} of CEL and its libraries.

## Functions of the edge

${edge!.map(section).join('\n')}
## Functions of CEL

${standard!.map(section).join('\n')}
## Macros

${macrosOf(environments)}`,
  );
}

/** The environments of all phases of all endpoints: no phase has all functions. */
function environmentsOf(profile: Profile): readonly Environment[] {
  return profile.endpoints.flatMap(endpoint => {
    const environments = createPhaseEnvironments(profile, endpoint);
    return phasesAt(profile, endpoint).map(phase => environments[phase]);
  });
}

/** Returns the functions of all environments; an overload that several have is listed once. */
function declaredIn(environments: readonly Environment[]): readonly FunctionDecl[] {
  const all = Map.groupBy(
    environments.flatMap(({ functions }) => [...functions.values()]),
    ({ name }) => name,
  );
  return [...all.values()].map(decls => {
    const overloads = new Map(decls.flatMap(decl => decl.overloads).map(one => [one.id, one]));
    return { ...decls[0]!, overloads: [...overloads.values()] };
  });
}

function factsOf(profile: Profile, name: string): readonly FunctionFact[] {
  return profile.functions.filter(fact => fact.name === name);
}

function macrosOf(environments: readonly Environment[]): string {
  const docs = new Map(environments.flatMap(({ macros }) => [...macros.values()]).map(({ name, doc }) => [name, doc]));
  return [...docs].map(([name, doc]) => `### ${code(name)}\n\n${doc}\n`).join('\n');
}

function actionPage(profile: Profile, action: ActionFact): SitePage {
  const { type, endpoints, config, doc, since } = action;
  const [, ...description] = describeAction({ ...action, example: undefined }).split('\n\n');
  const parts = [
    `# \`${type}\``,
    `An action of the [profile](../index.md) \`${profile.name}\`${since === undefined ? '' : `, since ${since}`}.`,
    ...description,
    `Endpoints: ${endpoints.map(code).join(', ')}`,
    '## Example',
    `\`\`\`yaml\n${exampleOf(profile, action)}\`\`\``,
    '## Configuration',
    config.length === 0 ? 'None.' : config.map(field => fieldSection(field, '')).join('\n\n'),
    ...(action.openConfig ? ['Other keys are accepted and not checked.'] : []),
  ];
  return sitePage(`${folderOf(profile)}/actions/${type}.md`, `${parts.join('\n\n')}\n`, {
    title: `${type} (${profile.name})`,
    description: `${firstLine(doc)} An action of the profile ${profile.name}.`,
  });
}

/** Describes a key, and below it the keys of its value. */
function fieldSection(field: ConfigField, prefix: string): string {
  const name = `${prefix}${field.name}`;
  const fields = fieldsOf(field.type);
  const nested = fields.map(one => fieldSection(one, `${name}${innerMark(field.type)}.`));
  return [`### ${code(name)}`, describeField(field).replace(/^`[^`]+`: (.)/, upperFirst), ...nested].join('\n\n');
}

function upperFirst(_: string, first: string): string {
  return first.toUpperCase();
}

function fieldsOf(type: ConfigType): readonly ConfigField[] {
  if (type.kind === 'object') return type.fields;
  if (type.kind === 'list') return fieldsOf(type.of);
  return type.kind === 'map' ? fieldsOf(type.value) : [];
}

function innerMark({ kind }: ConfigType): string {
  if (kind === 'list') return '[]';
  return kind === 'map' ? '.*' : '';
}

/** A policy with the action, at the first phase that has it. */
function exampleOf(profile: Profile, { type, phases, example }: ActionFact): string {
  const phase = profile.phases.find(one => phases.includes(one)) ?? phases[0]!;
  const config = example === undefined ? {} : { config: example };
  return stringify({ [phase]: [{ actions: [{ type, ...config }] }] }, { lineWidth: 100 });
}

function folderOf({ name }: Profile): string {
  return `reference/${name}`;
}

function firstLine(text: string): string {
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
}
