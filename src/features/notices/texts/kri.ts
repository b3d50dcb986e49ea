// The texts of all notices in Krio, in the letters that phones have: e, o and ng. A speaker has still to check them.
import type { Texts } from './keys.ts';

export const kri: Texts = {
  new_device: 'Nyu divays, {device}, kin yuz yu Kissi walet wit yu PIN. If na no yu, chenj yu PIN naw naw o kol wi.',
  pin_changed: 'Yu Kissi PIN don chenj. If na no yu, kol wi naw naw.',
  pin_reset_code:
    'Yu Kissi kod fo set nyu PIN: {code}. I go wok fo {minutes, plural, other {# minit}}. No tel enibodi. If yu no aks fo am, kol wi.',
  pin_reset_done: 'Yu Kissi PIN don chenj. Fo 24 awa yu kin pe smol pat nomo. If na no yu, kol wi naw naw.',
  number_changed:
    'Yu Kissi fon nomba don chenj. Mesej en kod go go na di nyu nomba. If yu no aks fo dis, kol wi naw naw.',
  wrong_pins:
    'Dem put yu Kissi PIN rong {count, plural, other {# tem}} tide. Shop, ejent en ap no go ebul yuz am bifo midnait. If na no yu, kol wi.',
  own_wrong_pins:
    'Dem put yu Kissi PIN rong {count, plural, other {# tem}}. Yu divays en USSD don stop te yu set nyu PIN. Kol wi.',
  phone_code:
    'Yu Kissi rejista kod: {code}. I go wok fo {minutes, plural, other {# minit}}. If yu no rejista, no tel enibodi.',
  login_code:
    'Yu Kissi login kod: {code}. I go wok fo {minutes, plural, other {# minit}}. No tel enibodi, not to Kissi wokman sef.',
  request_to_pay:
    'Yu go PE {amount, money} to {payee} if yu gri. Kod {code}{ussd, when { (#)}}. Yu no bin de op am? No du natin. No sen yu PIN.',
  request_to_pay_any:
    'Yu go PE di amont we yu want to {payee} if yu gri. Kod {code}{ussd, when { (#)}}. Yu no bin de op am? No du natin. No sen yu PIN.',
  cash_out_code:
    'Kash-aut kod {code} fo {amount, money}, i go wok fo {minutes, plural, other {# minit}}. Gi am to di ejent we de pe yu nomo. No tel enibodi yu PIN.',
  recall:
    '{sender} se i sen {amount, money} to yu bay mistek en i want am bak. Wi de ol da moni. Ansa na yu Kissi menyu. Kes {case}.',
  case_open: 'Yu kes {case} don opin bak. Luk am na yu Kissi menyu o ap.',
  case_waiting_customer: 'Yu kes {case} nid ansa from yu. Ansa na yu Kissi ap, o kol wi.',
  case_waiting_other_party:
    'Yu kes {case}: wi don aks di oda posin en wi de ol wetin lef na di moni. Wi go tel yu aw i don.',
  case_investigating: 'Wi de wok pan yu kes {case}. Wi go tel yu aw i don.',
  case_resolved: 'Yu kes {case} don sotul. Luk am na yu Kissi ap, o kol wi.',
  case_rejected: 'Yu kes {case} don lok: wi no ebul du wetin yu aks fo. Luk wetin mek na yu Kissi ap, o kol wi.',
  case_message: 'Mesej de fo yu insay yu kes {case}. Rid am na yu Kissi ap, o kol wi.',
  case_complex: 'Yu kes {case} go tek pas di oda wan dem. Yu go yeri from wi bifo {until} don.',
  partner_wallet_changed:
    'Di patna walet we bin jeyn wit yu Kissi walet no jeyn igen. If yu no aks fo dis, kol wi naw naw.',
  card_moved: 'Wan kad we yu bin get don jeyn wit oda posin in Kissi walet. If yu no gi di kad bak, kol wi naw naw.',
  sent: 'Yu don sen {amount, money} to {party}.{fee, when { Fi #.}}{balance, when { Balans #.}} Id {id}',
  received: 'Yu don get {amount, money} from {party}.{fee, when { Fi #.}}{balance, when { Balans #.}} Id {id}',
  received_often:
    'Yu don get {amount, money} from {party}, en boku bifo. Te {until} wi go tel yu bot wetin yu pe nomo. Id {id}',
  deposited: 'Yu don put {amount, money} na {party}.{fee, when { Fi #.}}{balance, when { Balans #.}} Id {id}',
  withdrawn: 'Yu don pul {amount, money} na {party}.{fee, when { Fi #.}}{balance, when { Balans #.}} Id {id}',
  paid: 'Yu don pe {amount, money} to {party}.{fee, when { Fi #.}}{balance, when { Balans #.}} Id {id}',
  refunded: '{party} don gi yu bak {amount, money}.{fee, when { Fi #.}}{balance, when { Balans #.}} Id {id}',
  taken_back:
    'Dem don tek bak {amount, money} we bin kam from {party}.{fee, when { Fi #.}}{balance, when { Balans #.}} Id {id}',
  authorized: 'Wi de ol {amount, money} na yu walet fo {party} te {until}. Id {id}',
  released: 'Di {amount, money} we wi bin ol fo {party} don kam bak to yu. Id {id}',
  code_ended: 'Yu kash-aut kod fo {amount, money} don don, en nobodi no pe am. Di moni don kam bak to yu. Id {id}',
};
