// The screens of payment requests in one bundle, because a shop may have a slow network.
export { Charge } from './charge.tsx';
export { Request } from './request.tsx';
export { Requests } from './requests.tsx';
