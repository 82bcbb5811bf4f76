// An entry of its own: the command line needs the facts for its help, and not the server.
export {
  flagOf,
  SERVER_SETTINGS,
  type ServerSettings,
  type SettingFact,
  variableOf,
} from './server-settings.ts';
export { describeType, type SettingType, type SettingValue } from './setting.ts';
