import { type PartPath, parsePartPath } from '@tollgate/policy';
import { InvalidArgumentError, Option } from 'commander';

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
