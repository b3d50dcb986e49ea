// QR codes are drawn by a part in its own file, because the lists and forms need none.

export const loadQr = () => import('./qr.tsx');
