// Reads a QR code with the camera, in browsers that can (BarcodeDetector). The pictures stay on the phone.
interface Detector {
  detect(picture: HTMLVideoElement): Promise<{ rawValue: string }[]>;
}

type DetectorClass = new (options: { formats: string[] }) => Detector;

const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };

export const canScan = BarcodeDetector !== undefined && navigator.mediaDevices?.getUserMedia !== undefined;

const EVERY_MS = 200;

/** Null: it was stopped. Throws if the camera cannot be used. */
export async function scan(video: HTMLVideoElement, stopping: AbortSignal): Promise<string | null> {
  if (!BarcodeDetector) throw new Error('there is no detector');
  const detector = new BarcodeDetector({ formats: ['qr_code'] });
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
  try {
    video.srcObject = stream;
    await video.play();
    while (!stopping.aborted) {
      const [found] = await detector.detect(video);
      if (found) return found.rawValue;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
    return null;
  } finally {
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
  }
}
