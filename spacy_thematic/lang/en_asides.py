"""What English says beside its themes."""

from spacy_thematic.lang.words import headings

ASIDES = {
    "greetings": headings(
        "Hello everyone. | Hi John, how are you? | Good morning, ladies and gentlemen."
        "| Good evening. | Hey folks! | Welcome back. | Dear friends,"
        "| Mr. President, members of the council, distinguished guests:"
    ),
    "hosts": headings(
        "Welcome to the show. | Welcome to another episode of the podcast. | I'm your host."
        "| Today I'm joined by a very special guest."
        "| My guest today is the author of a new book. | Thanks for having me."
        "| It's great to be here. | Let me introduce our next speaker."
        "| Can you introduce yourself? | My name is John and I am an engineer."
        "| This is the podcast about science, and I'm John. | With me are Jane and Bob."
        "| Welcome, Jane. | Thank you for joining us today. | Our next guest is Jane Doe."
        "| It's a pleasure to have you on the show."
    ),
    "pleasantries": headings(
        "How are you doing today? | I'm fine, thanks, and you? | Nice to meet you."
        "| It's good to see you again. | Long time no see. | How is the weather over there?"
        "| Happy birthday! | Congratulations! | I'm so excited. | That's very kind of you."
    ),
    "thanks": headings(
        "Thank you very much. | Thanks a lot for your help. | Thanks, Bob."
        "| I want to thank everyone for coming. | Thank you for your time."
        "| We thank our friends and our families."
        "| Thanks to Jane and Bob for reading drafts of this."
        "| We thank the reviewers for their helpful comments. | Thanks!"
        "| Many thanks to all who helped. | Thank you, Mr. Chairman."
        "| A big thank you to our volunteers."
    ),
    "farewells": headings(
        "Goodbye. | See you next week. | Take care. | Good night everyone."
        "| Thanks for listening, and see you next time. | Have a great day."
        "| That's all for today. | God bless you. | Amen."
    ),
    "reactions": headings(
        "Yeah. | Right, exactly. | Okay, sounds good. | No, no, no. | I don't know."
        "| That's a good question. | Wow, that's great. | Absolutely. | Oh my God."
        "| Of course. | lol | Hmm. | Really? | I agree. | No. | Yes, please. | Sure."
        "| I think so. | Me too. | Awesome! | Well, you know. | That's right. | I see."
        "| Haha"
    ),
    "turns": headings(
        "Can you hear me? | You're on mute. | Can everyone see my screen?"
        "| Next slide, please. | Sorry, go ahead. | Does anyone have questions?"
        "| Let's get started. | Let's move on. | I will hand over to my colleague."
        "| You have two minutes. | Let me finish. | The floor is yours."
        "| We are out of time. | Let me share my screen. | We'll take one more question."
        "| Next question. | Over to you, Bob. | Any other business? | Back to you."
    ),
    "meetings": headings(
        "The meeting was called to order at 7 pm. | The meeting was adjourned."
        "| Minutes of the meeting | Attendees | Present: John Smith, Jane Doe, Bob Brown"
        "| Apologies were received from Mr. Brown. | Motion carried unanimously."
        "| Moved by Smith, seconded by Brown."
        "| The minutes of the last meeting were approved. | Scribe: Jane"
        "| Next meeting: Tuesday at 10 | Agenda | Roll call | All in favor? Opposed?"
        "| Guests: Jane Doe | Chair: John Smith"
    ),
    "adverts": headings(
        "This episode is brought to you by our sponsor."
        "| Get 20% off with the code at checkout. | Sign up for a free trial. | Buy now"
        "| Order your copy today. | Support us with a donation."
        "| Become a member and get extra episodes. | This post contains affiliate links."
        "| Today's sponsor is a company that makes software."
        "| This show is supported by listeners like you."
        "| Use the promo code for a discount. | Thanks to our sponsors."
        "| Try it free for 30 days. | Donate now | Shipping is free on all orders."
        "| Visit our website to learn more and get started."
    ),
    "calls": headings(
        "Subscribe to our newsletter. | Like, share and subscribe."
        "| Follow us on Twitter and Facebook. | Leave us a review on iTunes."
        "| Click here to read more. | Read the full story | Share this article"
        "| Join our community. | Watch the video | Download the file"
        "| Don't forget to subscribe. | Hit the like button. | Sign up for the newsletter"
        "| Join us on Discord. | Tell your friends about the show."
        "| Check out the link in the description. | Send us your feedback."
        "| Let us know in the comments."
    ),
    "menus": headings(
        "Home About Contact | Log in | Create an account | Search | Menu | Skip to content"
        "| Related articles | You may also like | Comments | Leave a reply | Previous Next"
        "| Back to top | Show all | Table of contents | Tags: life, travel | Edit this page"
    ),
    "credits": headings(
        "By John Smith | Written by Jane Doe | Photo by John Smith"
        "| Image credit: Getty Images | Posted by admin"
        "| Reporting by Jane Doe; editing by Bob Brown | Translated by Jane Doe"
        "| Directed by John Smith | Author: Bob Brown | Narrator: Jane Doe"
        "| Music by Jane Doe | Edited by Bob Brown | Produced by John Smith"
        "| Jane Doe is a writer who lives in New York. | About the author"
    ),
    "notices": headings(
        "All rights reserved. | Copyright 2015 by the author"
        "| Terms of use and privacy policy | Licensed under the MIT License"
        "| The views expressed here are my own. | This message is confidential."
        "| This transcript was generated automatically and may contain errors."
        "| To unsubscribe from this list, send a mail."
        "| The authors declare no conflict of interest. | This page uses cookies."
        "| Past performance is no guarantee of future results."
        "| No part of this book may be reproduced without permission."
        "| Some rights reserved. | This article was first published in the newspaper."
    ),
    "dates": headings(
        "January 12, 2015 | Monday, 9:30 am | Posted on March 3, 2014 | Last updated: 2019"
        "| New York, June 5 | London (Reuters) | 12:30"
        "| Received 3 May 2010; accepted 1 June 2011 | Version 1.2"
    ),
    "pages": headings(
        "Page 3 of 10 | Chapter One | Part II | Volume 12, No. 3 | Figure 1 | Table 2"
        "| Appendix A | Slide 14 | No. 99-1234 | To be continued | The End | * * * | 12"
        "| CUT TO: | Page intentionally left blank | Section 3 | 1. | Date: | Name:"
    ),
    "citations": headings(
        "References | Smith, J., and Brown, B. (2003). Journal of Physics, 12, 34-56."
        "| Ibid., p. 45. | See Smith v. Brown, 345 U.S. 123 (1990)."
        "| Cambridge University Press, 1998. | https://www.example.com/page"
        "| doi: 10.1000/123456 | See also | [1] [2] [3]"
        "| Retrieved May 3, 2010, from https://www.example.com | Smith et al., 2003"
        "| Exhibit A, p. 12. | Source: Reuters"
    ),
    "pointers": headings(
        "See below. | For more information, see our website. | More on this later."
        "| As shown in the figure above. | Here is the link. | Details follow. | Read on."
        "| Stay tuned. | I will post more soon."
    ),
    "captions": headings(
        "United States Court of Appeals | Appeal from the District Court"
        "| Opinion of the court | Petitioner, v. Respondent. | Department of State"
        "| Office of the Press Secretary | For immediate release | Ministry of Health"
        "| Report of the committee"
    ),
    "addresses": headings(
        "123 Main Street, Suite 400, Springfield, IL 62701 | Phone: 555 123 4567"
        "| Email: john@example.com | Contact: Jane Doe, Press Office"
        "| Department of Computer Science, University of London | Professor of History"
        "| President and Chief Executive | Company Ltd."
    ),
    "names": headings(
        "John Smith | Jane Doe (Treasurer) | Maria Garcia-Lopez | Peter Müller, Chair"
        "| Dr. Anna Kowalski | Ahmed Hassan and Li Wei | Bob Brown - Secretary | Tom O'Brien"
        "| Rajesh Kumar, Priya Singh, Yuki Tanaka | Mrs. N. Cooper | Katarzyna Nowak | @jane"
    ),
    "mails": headings(
        "Best regards, John | Yours sincerely, | Dear Mr. Smith: | Sent from my iPhone"
        "| On Monday John wrote: | Please find attached the file."
        "| Please let me know if you have any questions."
        "| Looking forward to hearing from you. | Subject: Re: question | Cheers,"
        "| Hope you are well. | Thanks in advance. | Could you please help me with this?"
        "| To: John Smith <john@example.com> | wrote:"
    ),
    "chats": headings(
        "John joined the channel | Jane left the group | Message deleted | is now known as"
        "| brb | ping | back | gtg | image omitted"
    ),
    "sounds": headings(
        "(Music) | [Applause] | [Laughter] | [inaudible] | (crosstalk) | (Pause) | ♪ ♪"
    ),
    "contents": headings(
        "The company reported a loss of two million."
        "| The river rises in the mountains and flows to the sea."
        "| He walked slowly into the room and sat down."
        "| The patients were treated with the drug for six weeks."
        "| The court held that the law did not apply."
        "| We measured the temperature of the water."
        "| The city was founded in the twelfth century."
        "| She told me that her mother had died."
        "| Add the onions and cook them until they are soft."
        "| The team won the game in the last minute."
        "| You can set the option in the configuration file."
        "| The function returns a list of values."
        "| Taxes will rise and services will be cut."
        "| The war ended and the soldiers came home."
        "| I think that people want to be free to choose."
        "| Our customers tell us what they need."
        "| The engine is louder than in the old model."
        "| Children learn best when they play."
        "| The students must submit their work by Friday."
        "| The price of the ticket includes the meal."
        "| We decided to move the servers to the cloud. | God made heaven and earth."
        "| The film tells the story of a young man."
        "| The government will build new schools and roads."
        "| Employees may take twenty days of leave a year."
        "| The results show that the method works better."
        "| The bird lives in forests and eats insects."
        "| I was afraid of what would happen next."
        "| The bug occurs when the window is closed."
        "| It took us three days to reach the camp."
        "| The chair reported on the budget for next year."
        "| Fixed a bug that crashed the app when it opens a file."
        "| I like the camera, but the battery dies too fast."
        "| He was born in 1870 in a small village."
        "| We flew to Rome and took the train to Florence."
        "| The teacher explains how plants make food. | Serve the soup hot with bread."
        "| Where is the money going to come from?"
    ),
    "subjects": headings(
        "What about the budget? | Battery life | Food and drink"
        "| Improved support for tables | How does the engine work? | Housing prices"
        "| Advantages | Ingredients | The early years | salt | Climate change"
        "| Fixed a crash on startup | She got a job at the bank. | Poor sound quality"
        "| The flight was late. | Chapter 3: The river | New features | salt and pepper"
        "| Day 2: Rome | Too many ads | The bridge | 1 cup of sugar | Parking | Kings"
        "| Rivers."
    ),
}
"""Sentences by what they are for. Those of "contents" and "subjects" belong to a theme."""
