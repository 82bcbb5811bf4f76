/**
 * What is known about an address: its location, its registration, its network. An absent field is unknown; an empty string means that the
 * address is known to have none. Names are in English.
 */
export interface GeoFacts {
  /** Two capital letters of ISO 3166-1. */
  readonly countryCode?: string | undefined;
  readonly country?: string | undefined;
  readonly continent?: string | undefined;
  /** State, province or region. */
  readonly subdivision?: string | undefined;
  readonly city?: string | undefined;
  readonly postalCode?: string | undefined;
  readonly metroCode?: string | undefined;
  /** An IANA name. */
  readonly timeZone?: string | undefined;
  /** In degrees; a string, as in policies. */
  readonly latitude?: string | undefined;
  readonly longitude?: string | undefined;
  /** The radius in kilometres around latitude and longitude that probably contains the address. */
  readonly radius?: string | undefined;
  readonly isInEu?: boolean | undefined;
  readonly registeredCountryCode?: string | undefined;
  readonly registeredCountry?: string | undefined;
  readonly isRegisteredInEu?: boolean | undefined;
  /** The number of the autonomous system. */
  readonly asNumber?: number | undefined;
  readonly asOrganization?: string | undefined;
}

/** Returns what is known about an address, an IPv4 or IPv6 string. */
export type LocateAddress = (address: string) => GeoFacts;
