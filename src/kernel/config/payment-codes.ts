// Settings of what payers scan and dial: EMVCo QR codes and USSD strings.
import { checkedText, integer } from './variable.ts';

const GUID = /^[A-Za-z0-9][A-Za-z0-9.-]{0,31}$/;
const SERVICE_CODE = /^\*\d{1,6}(\*\d{1,4})*#$/;

export const paymentCodeVariables = {
  QR_GUID: checkedText((value) => GUID.test(value), 'must be 1 to 32 letters, digits, dots and hyphens.', {
    default: 'sl.kissi.m',
    description:
      "Globally unique identifier in the merchant account template of QR codes: a reversed domain name of the operator, or the national scheme's.",
  }),
  QR_TEMPLATE: integer(26, 51, {
    default: 26,
    description: 'EMVCo tag of the merchant account template of QR codes.',
  }),
  USSD_SERVICE_CODE: checkedText(
    (value) => value === '' || SERVICE_CODE.test(value),
    'must be a USSD service code such as *715#.',
    {
      default: '',
      description:
        'USSD service code, such as `*715#`, of which `ussd` of payment requests is made. Empty: `ussd` is null.',
    },
  ),
};

/** `*715*0*code#` for the service code `*715#`; null without a service code. */
export function ussdString(serviceCode: string, code: string): string | null {
  return serviceCode === '' ? null : `${serviceCode.slice(0, -1)}*0*${code}#`;
}
