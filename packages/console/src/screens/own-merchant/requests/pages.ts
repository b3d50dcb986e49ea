// The screens of payment requests in one bundle: the QR code is shown without another file.
export { Charge } from './charge.tsx';
export { Request } from './request.tsx';
export { Requests } from './requests.tsx';
