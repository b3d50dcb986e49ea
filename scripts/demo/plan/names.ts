// Sierra Leonean names by language group, with the share of each group in the population of the demo.
import type { Random } from '@kissi/testkit/random';

interface NameGroup {
  women: readonly string[];
  men: readonly string[];
  families: readonly string[];
}

const GROUPS: readonly (readonly [NameGroup, number])[] = [
  // Temne
  [
    {
      women: 'Fatmata Aminata Isatu Mariatu Zainab Kadiatu Ya-Marie Memunatu Adama Ramatu Yabom Salamatu'.split(' '),
      men: 'Abu Alimamy Foday Ibrahim Mohamed Osman Santigie Sorie Unisa Abdul Brima Pa-Alimamy'.split(' '),
      families: 'Kamara Bangura Kanu Conteh Sesay Kargbo Turay Fornah Kabia Bundu Koroma Thullah'.split(' '),
    },
    32,
  ],
  // Mende
  [
    {
      women: 'Hawa Jeneba Baindu Mamie Kadie Nancy Jebbeh Matilda Lucy Bintu Gladys Satta'.split(' '),
      men: 'Momoh Vandi Joseph Sheku Brima Kpana Moinina Patrick Lansana Augustine Bockarie Alpha'.split(' '),
      families: 'Kallon Koroma Massaquoi Vandi Lansana Swaray Lebbie Kanneh Rogers Sheriff Moiwo Gbondo'.split(' '),
    },
    31,
  ],
  // Limba
  [
    {
      women: 'Mabinty Sallay Yeabu Marion Hannah Kumba Mabel Yealie Isha Dora'.split(' '),
      men: 'Saidu Suluku Hassan Almamy Daniel Samuel Yapo Bai Emmanuel Lamin'.split(' '),
      families: 'Conteh Kamara Mansaray Samura Sillah Bangura Koroma Dumbuya Suma Kabba'.split(' '),
    },
    9,
  ],
  // Krio
  [
    {
      women: 'Victoria Elizabeth Regina Cassandra Olive Agnes Florence Yvonne Claudia Melrose'.split(' '),
      men: 'Arnold Victor Desmond Julius Sylvester Eldred Michael Donald Raymond Olufemi'.split(' '),
      families: 'Cole Johnson Macauley Davies Williams Decker Wright Pratt Metzger Nicol Coker Taylor-Kamara'.split(
        ' ',
      ),
    },
    5,
  ],
  // Fula
  [
    {
      women: 'Aissatou Binta Fatoumata Hawanatu Kadijatu Mariama Oumou Ramatulai Zainabu Tenneh'.split(' '),
      men: 'Alpha Amadu Chernor Ibrahima Mamadu Saikou Thierno Umaru Yayah Alhaji'.split(' '),
      families: 'Jalloh Bah Barrie Sow Diallo Timbo Wurie Sall Tejan-Jalloh Baldeh'.split(' '),
    },
    9,
  ],
  // Mandingo
  [
    {
      women: 'Maimuna Fanta Nagnalen Mariama Saran Kadija'.split(' '),
      men: 'Alhaji Bubakarr Lamin Mohamed Sekou Mustapha'.split(' '),
      families: 'Kaba Fofanah Turay Jabbie Sillah Daramy Kuyateh Tarawallie'.split(' '),
    },
    6,
  ],
  // Kono
  [
    {
      women: 'Finda Sia Kumba Yei Bondu'.split(' '),
      men: 'Sahr Tamba Aiah Komba Kai'.split(' '),
      families: 'Gborie Bona Mansaray Fasuluku Nyandemoh Sandi Yambasu James'.split(' '),
    },
    8,
  ],
];

export interface Name {
  first: string;
  last: string;
}

export function newName(random: Random): Name {
  const group = random.weighted(GROUPS);
  return { first: random.pick(random.chance(0.5) ? group.women : group.men), last: random.pick(group.families) };
}
