// Options that say which policies to read, and for which edge.

import { type EndpointKind, PROFILES } from '@tollgate/catalog';
import { type PartPath, parsePartPath, TEMPLATE_KINDS, type TemplateKind } from '@tollgate/policy';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** The options of {@link addSettingsOptions}, as given. */
export interface SettingsOptions {
  readonly profile?: string;
  readonly endpoint?: EndpointKind;
  readonly env?: readonly string[];
  /** Language of the placeholders in all files. */
  readonly templates?: TemplateKind;
}

const ENDPOINTS = [...new Set(PROFILES.flatMap(profile => profile.endpoints))];

/**
 * Makes an option repeatable, with one value each time. An option that takes several values at once would take the files after it, too.
 */
export function repeatable(option: Option): Option {
  const { parseArg } = option;
  const before = (given: unknown) => (Array.isArray(given) && given !== option.defaultValue ? given : []);
  return option.argParser((value, given: unknown) => [...before(given), parseArg ? parseArg(value, undefined) : value]);
}

/** Adds the options for profile, endpoint and extensions. */
export function addSettingsOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--profile <name>', 'profile of the policies; detected by default').choices(
        PROFILES.map(profile => profile.name),
      ),
    )
    .addOption(
      new Option(
        '--endpoint <kind>',
        'kind of endpoint the policies are attached to (default: https-route or http-endpoint)',
      ).choices(ENDPOINTS),
    )
    .addOption(envOption())
    .addOption(templatesOption());
}

/** The option that names the language of placeholders. */
function templatesOption(): Option {
  const text =
    'template language of the placeholders; their values are unknown, so no type is checked; Helm is detected';
  return new Option('--templates <language>', text).choices(TEMPLATE_KINDS);
}

/** The option that names extension files. */
export function envOption(): Option {
  const text = 'extension of the catalog: YAML, JSON, or a TypeScript or JavaScript module; repeatable';
  return repeatable(new Option('--env <file>', text));
}

/** Names the environment of `live:TARGET`. */
export function environmentOption(): Option {
  return new Option('--environment <name>', 'environment of `live:TARGET` (default: the only one)');
}

/** The option that locates the policy within each file. */
export function partOption(): Option {
  return new Option(
    '--at <path>',
    'path of the policy in each file: `/spec/policy`, or `2/spec/policy` for the second document',
  ).argParser(parsePart);
}

function parsePart(text: string): PartPath {
  const path = parsePartPath(text);
  if (!path) throw new InvalidArgumentError(`expected a path such as \`/spec/policy\`, found \`${text}\`.`);
  return path;
}

/** The options of {@link addChangeOptions}, as given. */
export interface ChangeOptions {
  /** True without a revision. */
  readonly changed?: string | true;
  readonly staged?: true;
}

/** Returns true for the files of a run. */
export type FileSelection = (path: string) => boolean;

/** Adds the options that select changed files. */
export function addChangeOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--changed [revision]',
        'only files that changed since a revision, such as `--changed=main`, or since the last commit',
      ).conflicts('staged'),
    )
    .option('--staged', 'only files that are staged for the next commit');
}

/** Reads a duration in whole seconds. */
export function parseSeconds(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('expected a whole number of seconds, 1 or more.');
  return Number(text);
}
