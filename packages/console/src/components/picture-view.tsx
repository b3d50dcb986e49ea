// Draws a picture inside the page, whose policy admits no images from other addresses.
import { useEffect, useRef, useState } from 'react';
import classes from './picture-view.module.css';

interface PictureProps {
  picture: Blob;
  label: string;
  /** As wide as there is room. */
  isLarge?: boolean;
}

export function PictureView({ picture, label, isLarge = false }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    let isShown = true;
    void draw(picture, canvas.current, () => isShown).then(
      (done) => isShown && setDrawn(done),
      () => undefined,
    );
    return () => {
      isShown = false;
    };
  }, [picture]);
  const className = `${classes.picture} ${isLarge ? classes.large : ''}`;
  return <canvas ref={canvas} className={className} role="img" aria-label={label} data-drawn={isDrawn} />;
}

async function draw(picture: Blob, canvas: HTMLCanvasElement | null, isShown: () => boolean): Promise<boolean> {
  const bitmap = await createImageBitmap(picture);
  if (!canvas || !isShown()) return false;
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return true;
}
