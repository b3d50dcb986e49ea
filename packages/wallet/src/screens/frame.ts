// What screens ask of the frame.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

export interface Frame {
  /** The customer has logged in. */
  enter(): void;
  /** The customer logs out: the PIN opens the wallet again. */
  leave(): void;
  /** The language has changed. */
  redraw(): void;
}

export const FrameContext = createContext<Frame>({ enter() {}, leave() {}, redraw() {} });
export const useFrame = () => useContext(FrameContext);
