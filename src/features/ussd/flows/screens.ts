// All screens, by name.
import type { Screen } from '../engine/screen.ts';
import { accountScreens } from './account.ts';
import { agentScreens } from './agent.ts';
import { mainScreens } from './main.ts';
import { payScreens } from './pay.ts';
import { pinScreens } from './pin.ts';
import { problemScreens } from './problems.ts';
import { registerScreens } from './register.ts';
import { requestScreens } from './requests.ts';
import { sendScreens } from './send.ts';
import { withdrawScreens } from './withdraw.ts';

export const SCREENS: Readonly<Record<string, Screen>> = {
  ...mainScreens,
  ...sendScreens,
  ...withdrawScreens,
  ...payScreens,
  ...requestScreens,
  ...problemScreens,
  ...accountScreens,
  ...pinScreens,
  ...registerScreens,
  ...agentScreens,
};
