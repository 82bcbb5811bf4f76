/**
 * What is known of an address: where it is, for whom it is registered, whose network it is in. A field that is absent is not known;
 * an empty text says that the address is known to have none. Names are English.
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
  /** By its IANA name. */
  readonly timeZone?: string | undefined;
  /** In degrees; text, as policies have it. */
  readonly latitude?: string | undefined;
  readonly longitude?: string | undefined;
  /** Kilometres around latitude and longitude in which the address probably is. */
  readonly radius?: string | undefined;
  readonly isInEu?: boolean | undefined;
  readonly registeredCountryCode?: string | undefined;
  readonly registeredCountry?: string | undefined;
  readonly isRegisteredInEu?: boolean | undefined;
  /** Of the autonomous system. */
  readonly asNumber?: number | undefined;
  readonly asOrganization?: string | undefined;
}

/** Gives what is known of an address, IPv4 or IPv6 text. */
export type LocateAddress = (address: string) => GeoFacts;
