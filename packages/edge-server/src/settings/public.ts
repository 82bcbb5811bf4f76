// A separate entry point, because the command line needs the settings for its help without loading the server.
export {
  describeType,
  flagOf,
  SERVER_SETTINGS,
  type ServerSettings,
  type SettingFact,
  type SettingType,
  type SettingValue,
  variableOf,
} from './settings.ts';
