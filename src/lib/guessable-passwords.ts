/** Passwords that every guessing list begins with, in lower case; shorter ones are refused by length. */
export const GUESSABLE_PASSWORDS: ReadonlySet<string> = new Set(
  `
  00000000 11111111 11223344 12121212 12341234 12344321 123123123 12345678 123456789 1234567890
  0123456789 1234567891 12345678910 123456780 123456abc 123456qwerty 1234qwer 123654789 123698745 147258369
  147852369 159753456 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qazxsw2 1qaz2wsx3edc 22222222 31415926
  55555555 66666666 77777777 87654321 88888888 987654321 9876543210 99999999 a1234567 a12345678
  a123456789 aa123456 aa12345678 abc12345 abc123456 abcd1234 abcdefgh abcdefghi access14 admin123
  admin1234 admin12345 administrator alexander asdf1234 asdfasdf asdfghjk asdfghjkl babygirl baseball
  basketball batman123 bigdaddy butterfly business changeme changeme123 charlie1 chocolate christian
  christopher computer corvette cristina danielle december default1 diamond1 dolphins dragon123 einstein
  elephant elizabeth facebook family123 fernando firebird flower123 football football1 freedom1 fuckyou1
  garfield ghbdtn123 godzilla google123 hedgerow hello123 hellohello hunter12 iloveyou iloveyou1 iloveyou2
  internet invitado jennifer jessica1 jordan23 jonathan justin01 kimberly kristina letmein1 letmein123
  liverpool login123 lovelove lovely123 marlboro master123 maverick mercedes metallica michael1 michelle
  midnight minecraft monkey123 mountain mustang1 nicholas november nothing1 p4ssw0rd p@55w0rd p@ssw0rd
  p@ssword p@ssw0rd1 p@ssw0rd123 pa$$w0rd pass1234 pass12345 passpass passw0rd passw0rd1 passwort password
  password! password0 password01 password1 password1! password11 password12 password123 password1234
  password12345 password2 password3 patricia pokemon1 pokemon123 princess princess1 qazwsx123 qazwsxedc
  q1w2e3r4 q1w2e3r4t5 qwer1234 qwer12345 qwerqwer qwert123 qwerty12 qwerty123 qwerty1234 qwerty12345 qwertyui
  qwertyuiop qwertyuiop123 qwertz123 rainbow1 rootroot samantha samsung1 scorpion secret12 secret123
  september shadow12 slipknot snowball something spiderman starwars starwars1 startrek steelers success1
  summer2024 summer2025 summer2026 sunshine sunshine1 superman superman1 superstar sweetheart swordfish
  system32 target123 temp1234 test1234 test12345 testtest testing1 testing123 thunder1 tinkerbell tottenham
  trustno1 unknown1 victoria volleyball welcome1 welcome12 welcome123 welcome1234 whatever william1
  winter2024 winter2025 winter2026 wordpress xxxxxxxx yankees1 zaq12wsx zxcv1234 zxcvbnm1 zxcvbnm123
  zxcvbnm, zxcvbnm,. zzzzzzzz
  `
    .trim()
    .split(/\s+/),
)
