// Telephone numbers: whatever form a person writes, one number has one E.164 form.
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

export type PhoneReader = (text: string) => string | null;

/** A reader of local and international numbers for one country; null when it is no telephone number. */
export function phoneReader(country: string): PhoneReader {
  if (!isSupportedCountry(country)) throw new Error(`${country} is not a country with telephone numbers`);
  const defaultCountry: CountryCode = country;
  return (text) => {
    // Only what people type as a number: no letters (vanity numbers), no extensions.
    if (!/^\+?[\d\s().\-/]{4,32}$/.test(text)) return null;
    const number = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
    return number?.isPossible() && !number.ext ? number.number : null;
  };
}
