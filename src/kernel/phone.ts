// Phone numbers: converts the forms that people type into E.164.
import { AsYouType, type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** +23276123456 → "+232 ** *** 456", the same length for all numbers. */
export function maskedPhone(phoneNumber: string): string {
  const code = parsePhoneNumberFromString(phoneNumber)?.countryCallingCode ?? '';
  return `+${code} ** *** ${phoneNumber.slice(-3)}`;
}

export type PhoneReader = (text: string) => string | null;

/** Reads local numbers of the country and international ones. Null if the text is not a phone number. */
export function phoneReader(country: string): PhoneReader {
  const defaultCountry = supported(country);
  return (text) => {
    // The library would also accept letters (vanity numbers) and extensions.
    if (!/^\+?[\d\s().\-/]{4,32}$/.test(text)) return null;
    const number = parsePhoneNumberFromString(text, { defaultCountry, extract: false });
    return number?.isPossible() && !number.ext ? number.number : null;
  };
}

/** Reads the first digits of a number: 076 12 → +2327612. Null for text that is not digits. */
export function phoneStartReader(country: string): PhoneReader {
  const defaultCountry = supported(country);
  return (text) => {
    if (!/^\+?[\d\s().\-/]{2,32}$/.test(text)) return null;
    const typed = new AsYouType({ defaultCountry });
    typed.input(text);
    return typed.getNumberValue() ?? null;
  };
}

function supported(country: string): CountryCode {
  if (!isSupportedCountry(country)) throw new Error(`not a country with phone numbers: ${country}`);
  return country;
}
