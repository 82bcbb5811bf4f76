import { type PartPath, parsePartPath } from '@tollgate/policy';
import { InvalidArgumentError, Option } from 'commander';

/** The option that says where in each file the policy stands. */
export function partOption(): Option {
  return new Option(
    '--at <path>',
    'where in each file the policy stands: `/spec/policy`, or `2/spec/policy` in the second document only',
  ).argParser(parsePart);
}

function parsePart(text: string): PartPath {
  const path = parsePartPath(text);
  if (!path) throw new InvalidArgumentError(`expected a path such as \`/spec/policy\`, found \`${text}\`.`);
  return path;
}
