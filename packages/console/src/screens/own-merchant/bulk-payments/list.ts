// The address of the merchant's bulk payments.
export const LIST = '/shop/bulk-payments';
