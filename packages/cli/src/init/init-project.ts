// `tollgate init` and `tollgate new policy`: asks what is wanted and writes it.

import { resolve } from 'node:path';
import { printable } from '@tollgate/diagnostics';
import { EXIT, type ExitCode, UsageError } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { createFile, type NewFile, namedOrChosen, writeNewFiles } from './new-files.ts';
import { DEFAULT_ENDPOINT, POLICY_TEMPLATES, type PolicyTemplate, TEMPLATE_PROFILE } from './policy-templates.ts';
import { CI_RECIPES, EDITOR_SETTINGS, type SetupRecipe } from './setup-recipes.ts';

/** The options of `tollgate init`. */
interface InitOptions {
  readonly template?: readonly string[];
  readonly ci?: readonly string[];
  readonly editor?: readonly string[];
}

/** Directory of the policies that it writes. */
const POLICIES = 'policies';

/** Sets up a project: settings, policies with tests, and what CI and the editor need. Existing files stay as they are. */
export async function initProject(directory: string, options: InitOptions, terminal: Terminal): Promise<ExitCode> {
  const names = await namedOrChosen(options.template, TEMPLATE_QUESTION, terminal);
  // With a template on the command line, nothing is asked.
  const isAsking = options.template === undefined;
  const other = isAsking ? terminal : { ...terminal, ask: undefined };
  const ci = await namedOrChosen(options.ci, { ...CI_QUESTION, option: '--ci' }, other);
  const editors = await namedOrChosen(options.editor, { ...EDITOR_QUESTION, option: '--editor' }, other);
  const templates = POLICY_TEMPLATES.filter(({ name }) => names.includes(name));
  const files = [
    { path: 'tollgate.yaml', text: projectFile(templates) },
    ...templates.flatMap(one => filesOf(one, `${POLICIES}/${one.name}`)),
    ...filesNamed(CI_RECIPES, ci),
    ...filesNamed(EDITOR_SETTINGS, editors),
  ];
  const kept = await writeNewFiles(files, resolve(directory), terminal);
  const overrides = templates.flatMap(overrideOf);
  if (kept.has('tollgate.yaml') && overrides.length > 0)
    terminal.write(`\nadd to tollgate.yaml:\n\noverrides:\n${overrides.join('')}`);
  terminal.write(`\nNext: \`npx tollgate lint ${POLICIES}\`, \`npx tollgate test ${POLICIES}\`\n`);
  return EXIT.clean;
}

/** The question which templates to use. */
const TEMPLATE_QUESTION = {
  question: 'What is the first policy for?',
  choices: POLICY_TEMPLATES,
  isRequired: true,
  option: '--template',
} as const;

const CI_QUESTION = { question: 'Which CI checks the policies?', choices: CI_RECIPES };
const EDITOR_QUESTION = { question: 'Which editor do you set up?', choices: EDITOR_SETTINGS };

/** Returns a policy and its tests, which are next to it. `path` has no extension. */
function filesOf({ policy, tests }: PolicyTemplate, path: string): readonly NewFile[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return [
    { path: `${path}.yaml`, text: policy },
    { path: `${path}.test.yaml`, text: `policy: ${name}.yaml\n${tests}` },
  ];
}

function filesNamed(recipes: readonly SetupRecipe[], names: readonly string[]): readonly NewFile[] {
  return recipes.filter(({ name }) => names.includes(name)).map(({ file }) => file);
}

function projectFile(templates: readonly PolicyTemplate[]): string {
  const overrides = templates.flatMap(overrideOf);
  return `# Settings for all policies in this directory and below.
profile: ${TEMPLATE_PROFILE}
${overrides.length > 0 ? `overrides:\n${overrides.join('')}` : ''}lint:
  extends: [recommended]
`;
}

function overrideOf({ name, endpoint }: PolicyTemplate): readonly string[] {
  return endpoint === DEFAULT_ENDPOINT ? [] : [`  - { files: [${POLICIES}/${name}.yaml], endpoint: ${endpoint} }\n`];
}

/** The options of `tollgate new policy`. */
interface NewPolicyOptions {
  readonly template?: string;
}

/** Writes a policy from a template, and its tests next to it. */
export async function newPolicy(
  path: string,
  { template: named }: NewPolicyOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const stem = /^(.*[^/])\.ya?ml$/.exec(path.replaceAll('\\', '/'))?.[1];
  if (stem === undefined || stem.endsWith('.test'))
    throw new UsageError(`expected the path of a policy such as \`policies/api.yaml\`, found \`${path}\``);
  const question = { ...TEMPLATE_QUESTION, question: 'What is the policy for?' };
  const [name] = await namedOrChosen(named === undefined ? undefined : [named], question, terminal);
  const template = POLICY_TEMPLATES.find(one => one.name === name)!;
  for (const file of filesOf(template, stem)) {
    await createFile(file.path, file.text);
    terminal.write(`created  ${printable(file.path)}\n`);
  }
  if (template.endpoint !== DEFAULT_ENDPOINT)
    terminal.write(
      `\nadd to tollgate.yaml:\n\noverrides:\n  - { files: [${printable(stem)}.yaml], endpoint: ${template.endpoint} }\n`,
    );
  return EXIT.clean;
}
