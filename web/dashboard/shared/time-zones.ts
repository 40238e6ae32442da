/** The time zones to choose from. Other names of the IANA database are accepted too. */
export const TIME_ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');
