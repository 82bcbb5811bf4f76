import { Unknown } from '@tollgate/cel';
import { SNAKE_CASE } from '../message/dialect.ts';
import { firstIn } from '../state/recorded-state.ts';
import type { Provide, Providers } from './provide.ts';

const TEXTS = ['name', 'version', 'os', 'os_version', 'device', 'url'];
const FLAGS = ['is_mobile', 'is_tablet', 'is_desktop', 'is_bot'];

const USER_AGENT = SNAKE_CASE.requestHeader('user-agent');

const header: Provide = state => firstIn(state.request, USER_AGENT) ?? '';

/** `req.user_agent`: as a string, the header. How the edge parses it is not published, so its fields are known only if there is nothing to parse. */
export const USER_AGENT_PROVIDERS: Providers = {
  'req.user_agent': header,
  ...Object.fromEntries([...TEXTS.map(name => field(name, '')), ...FLAGS.map(name => field(name, false))]),
};

function field(name: string, none: string | boolean): [path: string, provide: Provide] {
  const path = `req.user_agent.${name}`;
  const unknown = new Unknown([path]);
  return [path, state => (header(state) === '' ? none : unknown)];
}
