import { printable } from '@tollgate/diagnostics';
import { EXIT, type ExitCode } from '../process/exit-code.ts';
import type { Terminal } from '../process/terminal.ts';
import { UsageError } from '../process/usage-error.ts';
import { namedOrChosen } from './choose.ts';
import { filesOf, TEMPLATE_QUESTION } from './init-project.ts';
import { createFile } from './new-files.ts';
import { DEFAULT_ENDPOINT } from './templates/policy-template.ts';
import { POLICY_TEMPLATES } from './templates/policy-templates.ts';

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
