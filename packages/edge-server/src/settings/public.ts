// A separate entry point, because the command line needs the settings for its help without loading the server.
export {
  flagOf,
  SERVER_SETTINGS,
  type ServerSettings,
  type SettingFact,
  variableOf,
} from './server-settings.ts';
export { describeType, type SettingType, type SettingValue } from './setting.ts';
